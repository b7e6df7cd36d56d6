import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import { movesIn } from '../../jobs/backfill-places.js'
import { consumersWords, type Deployment } from '../../jobs/deploy/look.js'
import type { TableDesign } from '../../layout/design.js'
import type { Layout } from '../../layout/layout.js'
import { TABLE_ACTIVE } from '../../table/diff/step.js'
import { differenceText, stepsText } from '../../table/diff.js'
import { paint } from '../output.js'

/** What is to be done, for people to read: as many steps as are ticked off later. */
export function deploymentText(layout: Layout, found: Deployment): string {
  const { design } = layout
  const { table, create, consumers, difference, drift } = found
  const steps = [
    ...(create ? [createStep(design, create)] : []),
    ...difference.steps,
    ...(consumers ? [consumersStep(consumers)] : []),
  ]
  const isWhole = steps.length === difference.steps.length
  const text = isWhole
    ? differenceText(difference)
    : stepsText(`${table}: ${create ? 'not there yet, ' : ''}`, { ...difference, steps })
  const parts = [text.trimEnd()]
  if (drift.length > 0) {
    const isMoved = movesIn(layout, drift).length > 0
    const how = isMoved ? '`edgewise backfill --from`, with the schema before,' : '`edgewise backfill`'
    parts.push(
      `${paint('yellow', 'Its items were written under another layout:')} ${drift.join('; ')}. Once the table is as designed, ${how} brings them up.`,
    )
  }
  return parts.join('\n\n')
}

function createStep(design: TableDesign, { TableName, BillingMode, ProvisionedThroughput }: CreateTableRequest) {
  const { keys, indexes } = design
  const units = ProvisionedThroughput
  const onDemand = BillingMode === 'PAY_PER_REQUEST'
  const billed = onDemand
    ? 'billed by request'
    : `with ${units?.ReadCapacityUnits} RCU and ${units?.WriteCapacityUnits} WCU`
  const lines = indexes.map(
    ({ name, kind, partition, sort, serves }) =>
      `- ${kind} index ${name} on ${[...partition, ...sort].join(', ')}${serves.length > 0 ? `, for ${serves.join(', ')}` : ''}`,
  )
  return {
    message: `Create the table ${TableName}, keyed by ${Object.values(keys).join(' and ')}, ${billed}.`,
    cost: [...lines, onDemand ? EMPTY_COST : 'Its capacity is billed from then on.'].join('\n   '),
    wait: TABLE_ACTIVE,
    optional: false,
  }
}

const EMPTY_COST = 'It costs nothing while it is empty and nobody reads it.'

const consumersStep = (consumers: CreateTableRequest) => ({
  message: consumersWords(consumers),
  cost: 'Billed by request: a write for each batch of records, and one every ten seconds for each shard that is followed.',
  wait: TABLE_ACTIVE,
  optional: false,
})

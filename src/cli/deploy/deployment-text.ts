import type { CreateTableInput } from '../../dynamodb/operation-types.js'
import { findMovingChanges } from '../../jobs/backfill/classify-changes.js'
import { consumersStepText, type Deployment } from '../../jobs/deploy/deployment.js'
import type { TableDesign } from '../../layout/design.js'
import type { Layout } from '../../layout/layout.js'
import { formatDifference, formatSteps } from '../../table/diff/difference.js'
import { TABLE_ACTIVE } from '../../table/diff/step.js'
import { paint } from '../terminal/output.js'

/** Formats the plan for people, with one line for each step that the progress shows later. */
export function formatDeployment(layout: Layout, found: Deployment): string {
  const { design } = layout
  const { table, create, consumers, difference, drift } = found
  const steps = [
    ...(create ? [describeCreateStep(design, create)] : []),
    ...difference.steps,
    ...(consumers ? [describeConsumersStep(consumers)] : []),
  ]
  const isWhole = steps.length === difference.steps.length
  const text = isWhole
    ? formatDifference(difference)
    : formatSteps(`${table}: ${create ? 'does not exist yet, ' : ''}`, { ...difference, steps })
  const parts = [text.trimEnd()]
  if (drift.length > 0) {
    const isMoved = findMovingChanges(layout, drift).length > 0
    const how = isMoved ? '`edgewise backfill --from` with the previous schema' : '`edgewise backfill`'
    parts.push(
      `${paint('yellow', 'The items were written under another layout:')} ${drift.join('; ')}. When the table matches the schema, update the items with ${how}.`,
    )
  }
  return parts.join('\n\n')
}

function describeCreateStep(design: TableDesign, { TableName, BillingMode, ProvisionedThroughput }: CreateTableInput) {
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
    cost: [...lines, onDemand ? EMPTY_COST : 'Its capacity is billed from its creation.'].join('\n   '),
    wait: TABLE_ACTIVE,
    optional: false,
  }
}

const EMPTY_COST = 'No cost while it is empty and not read.'

const describeConsumersStep = (consumers: CreateTableInput) => ({
  message: consumersStepText(consumers),
  cost: 'Billed by request: one write per batch of records, and one every ten seconds per shard.',
  wait: TABLE_ACTIVE,
  optional: false,
})

import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import type { Deployment } from '../../jobs/deploy/look.js'
import type { TableDesign } from '../../layout/design.js'
import { differenceText } from '../../table/diff.js'
import { paint } from '../output.js'

/** What is to be done, for people to read. */
export function deploymentText({ design }: { readonly design: TableDesign }, found: Deployment): string {
  const { create, difference, drift } = found
  const parts = create ? [createText(design, create)] : []
  if (!create || difference.steps.length > 0) parts.push(differenceText(difference).trimEnd())
  if (drift.length > 0)
    parts.push(
      `${paint('yellow', 'Its items were written under another layout:')} ${drift.join('; ')}. Once the table is as designed, \`edgewise backfill\` brings them up.`,
    )
  return parts.join('\n\n')
}

function createText(
  design: TableDesign,
  { TableName, BillingMode, ProvisionedThroughput }: CreateTableRequest,
): string {
  const { keys, indexes } = design
  const units = ProvisionedThroughput
  const billed =
    BillingMode === 'PAY_PER_REQUEST'
      ? 'billed by request'
      : `with ${units?.ReadCapacityUnits} RCU and ${units?.WriteCapacityUnits} WCU`
  return [
    `${TableName}: not there yet`,
    `Create the table ${TableName}, keyed by ${keys.partition} and ${keys.sort}, ${billed}.`,
    ...indexes.map(
      ({ name, kind, partition, sort, serves }) =>
        `- ${kind} index ${name} on ${[...partition, ...sort].join(', ')}${serves.length > 0 ? `, for ${serves.join(', ')}` : ''}`,
    ),
  ].join('\n')
}

import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { CreateTableInput } from '../../dynamodb/operations/tables.js'
import { findLayoutChanges, storedShapeOf } from '../../graph/table-setup/drift.js'
import { fingerprintKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { diff, type TableDifference } from '../../table/diff/difference.js'
import type { Step } from '../../table/diff/step.js'
import { consumersDesign, consumersName } from '../../table/production/consumers-table.js'
import { checkTableName, toCreateTableInput } from '../../table/table-definition.js'
import { assertConsumersName, assertDeployOptions, assertDesignAllowed } from './assertions.js'
import type { DeploymentStore } from './deployment-store.js'

/** Which table is looked at. */
export interface DeployOptions {
  /** The name of the table; that of the layout unless said. */
  readonly table?: string | undefined
  /** Days of point-in-time recovery; 0 leaves it as it is. 35 unless said. */
  readonly recoveryDays?: number | undefined
  /** Whether the table is to refuse its deletion. It is unless said. */
  readonly deletionProtection?: boolean | undefined
  /** Whether the capacity is left to autoscaling. */
  readonly autoscaled?: boolean | undefined
  /**
   * Whether the small table is made too in which those who follow the stream keep their checkpoints, where the stream
   * keeps something. It is unless said; a Lambda function needs none.
   */
  readonly consumers?: boolean | undefined
  /** Whether steps are taken too without which the layout works, and which only save. */
  readonly optional?: boolean | undefined
}

/** What a live table lacks. */
export interface Deployment {
  readonly table: string
  /** What makes the table, where it is not there. */
  readonly create: CreateTableInput | undefined
  /** What makes the small table of those who follow the stream, where one is needed and not there. */
  readonly consumers: CreateTableInput | undefined
  readonly difference: TableDifference
  /** How items differ that were written under another layout: `backfill` brings them up. */
  readonly drift: readonly string[]
  readonly fingerprint: 'same' | 'other' | 'none'
}

/** Compares a layout with the table that is there. */
export async function compareWithTable(
  layout: Layout,
  store: DeploymentStore,
  options: DeployOptions = {},
): Promise<Deployment> {
  const { design } = layout
  const table = options.table ?? design.name
  checkTableName(table)
  assertDeployOptions(options)
  assertDesignAllowed(design, table)
  const live = await describeIfExists(store, table)
  // Of a table that comes or goes, the service tells nothing more.
  const isUsable = live !== undefined && !/^(CREATING|DELETING)$/.test(live.TableStatus ?? '')
  const difference = diff(design, live ?? toTableDescription(toCreateTableInput(design, { table })), {
    ttl: isUsable ? (await store.describeTimeToLive({ TableName: table })).TimeToLiveDescription : undefined,
    autoscaled: options.autoscaled ?? false,
    protection: await readProtection(store, isUsable, table, options),
  })
  return {
    table,
    create: live ? undefined : toCreateTableInput(design, { table }),
    consumers: await findMissingConsumers(layout, store, table, options),
    difference: withTableName(table, difference),
    ...(await readFingerprint(layout, store, isUsable ? live : undefined, table)),
  }
}

/** A table that is told by an ARN may be of another account, where the caller has one of the same name. */
function withTableName(table: string, { steps, ...difference }: TableDifference): TableDifference {
  const renamedSteps = steps.map(step => ({ ...step, input: { ...step.input, TableName: table } }) as Step)
  return { ...difference, table, steps: renamedSteps }
}

async function findMissingConsumers(
  { design }: Layout,
  store: DeploymentStore,
  table: string,
  { consumers = true }: DeployOptions,
): Promise<CreateTableInput | undefined> {
  if (!consumers || design.stream === 'none') return undefined
  const name = consumersName(table)
  assertConsumersName(name)
  return (await describeIfExists(store, name)) ? undefined : toCreateTableInput(consumersDesign(name))
}

/** What makes it, in words. */
export const consumersStepText = ({ TableName }: CreateTableInput): string =>
  `Create the small table ${TableName}, in which those who follow the stream keep how far they are.`

export async function describeIfExists(
  store: DeploymentStore,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await store.describeTable({ TableName })).Table
  } catch (error) {
    if ((error as { name?: string }).name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** A table as it will be right after it was made. */
function toTableDescription({ BillingMode, GlobalSecondaryIndexes, ...request }: CreateTableInput): TableDescription {
  return {
    ...request,
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode },
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(index => ({ ...index, IndexStatus: 'ACTIVE' })),
  } as TableDescription
}

async function readProtection(
  store: DeploymentStore,
  isUsable: boolean,
  TableName: string,
  { recoveryDays = RECOVERY_DAYS, deletionProtection = true }: DeployOptions,
) {
  const wantsRecovery = recoveryDays > 0
  const output =
    isUsable && wantsRecovery ? await store.describeContinuousBackups({ TableName }).catch(toMissingBackups) : undefined
  return {
    recoveryDays: wantsRecovery && output !== 'unknown' ? recoveryDays : undefined,
    recovery: output === 'unknown' ? undefined : output?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription,
    deletion: deletionProtection,
  }
}

/** DynamoDB Local has no backups, and those of a table that has just become active are not known yet. */
function toMissingBackups(error: unknown): 'unknown' | undefined {
  const { name } = error as { name?: string }
  if (name === 'UnknownOperationException') return 'unknown'
  if (name === 'TableNotFoundException') return undefined
  throw error
}

async function readFingerprint(
  layout: Layout,
  store: DeploymentStore,
  live: TableDescription | undefined,
  TableName: string,
): Promise<Pick<Deployment, 'drift' | 'fingerprint'>> {
  // Where the keys of the table are others, nothing can be asked for by ours.
  const keys = live?.KeySchema?.map(({ AttributeName }) => AttributeName).join()
  if (keys !== layout.names.keys.join()) return { drift: [], fingerprint: 'none' }
  const { Item } = await store.getItem({ TableName, Key: fingerprintKey(layout), ConsistentRead: true })
  if (!Item) return { drift: [], fingerprint: 'none' }
  const drift = findLayoutChanges(storedShapeOf(Item, layout.shape), layout.shape)
  return { drift, fingerprint: Item.fingerprint?.S === layout.fingerprint ? 'same' : 'other' }
}

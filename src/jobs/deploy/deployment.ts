import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { CreateTableInput, TableDescription } from '../../dynamodb/operation-types.js'
import { findLayoutChanges, storedShapeOf } from '../../graph/table-setup/drift.js'
import { fingerprintKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { diff, type TableDifference } from '../../table/diff/difference.js'
import type { Step } from '../../table/diff/step.js'
import { consumersDesign, consumersName } from '../../table/production/consumers-table.js'
import { checkTableName, toCreateTableInput } from '../../table/table-definition.js'
import { assertConsumersName, assertDeployOptions, assertDesignAllowed } from './assertions.js'
import type { DeploymentStore } from './deployment-store.js'

/** Options of `deployment()` and `deploy()`. */
export interface DeployOptions {
  /** Name of the table. Default: the table name in the design. */
  readonly table?: string | undefined
  /** Days of point-in-time recovery. 0 leaves the setting unchanged. Default: 35. */
  readonly recoveryDays?: number | undefined
  /** Whether to enable deletion protection. Default: true. */
  readonly deletionProtection?: boolean | undefined
  /** Whether autoscaling manages the capacity. */
  readonly autoscaled?: boolean | undefined
  /**
   * Whether to create the checkpoint table for followers, if the stream maintains derived data. Default: true. A
   * Lambda function does not need it.
   */
  readonly consumers?: boolean | undefined
  /** Whether to include optional steps, which only save cost. */
  readonly optional?: boolean | undefined
}

/** The difference between a layout and a live table. */
export interface Deployment {
  readonly table: string
  /** The request that creates the table, if it does not exist. */
  readonly create: CreateTableInput | undefined
  /** The request that creates the checkpoint table, if it is needed and does not exist. */
  readonly consumers: CreateTableInput | undefined
  readonly difference: TableDifference
  /** Differences to the layout of existing items, which `backfill()` migrates. */
  readonly drift: readonly string[]
  readonly fingerprint: 'same' | 'other' | 'none'
}

/** Compares a layout with the existing table. */
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
  // DynamoDB returns incomplete descriptions while a table is created or deleted.
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

/** The table of an ARN may belong to another account, and the caller's account may have one of the same name. */
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

/** Describes the creation of a table. */
export const consumersStepText = ({ TableName }: CreateTableInput): string =>
  `Create the checkpoint table ${TableName} for followers of the stream.`

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

/** Describes a table as it will be after its creation. */
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

/** DynamoDB Local has no backups, and those of a new table are not available yet. */
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
  // If the table has other keys, its fingerprint cannot be read.
  const keys = live?.KeySchema?.map(({ AttributeName }) => AttributeName).join()
  if (keys !== layout.names.keys.join()) return { drift: [], fingerprint: 'none' }
  const { Item } = await store.getItem({ TableName, Key: fingerprintKey(layout), ConsistentRead: true })
  if (!Item) return { drift: [], fingerprint: 'none' }
  const drift = findLayoutChanges(storedShapeOf(Item, layout.shape), layout.shape)
  return { drift, fingerprint: Item.fingerprint?.S === layout.fingerprint ? 'same' : 'other' }
}

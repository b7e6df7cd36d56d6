import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import { differences, shapeIn } from '../../graph/drift.js'
import type { Layout } from '../../layout/layout.js'
import { fingerprintKey } from '../../layout/own-items.js'
import { consumersDesign, consumersName } from '../../table/consumers.js'
import { checkTableName, createTableRequest } from '../../table/definition.js'
import type { Step } from '../../table/diff/step.js'
import { diff, type TableDifference } from '../../table/diff.js'
import type { Tables } from './patient.js'
import { refuseConsumers, refuseDesign, refuseOptions } from './refused.js'

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
  readonly create: CreateTableRequest | undefined
  /** What makes the small table of those who follow the stream, where one is needed and not there. */
  readonly consumers: CreateTableRequest | undefined
  readonly difference: TableDifference
  /** How items differ that were written under another layout: `backfill` brings them up. */
  readonly drift: readonly string[]
  readonly fingerprint: 'same' | 'other' | 'none'
}

/** Compares a layout with the table that is there. */
export async function look(layout: Layout, store: Tables, options: DeployOptions = {}): Promise<Deployment> {
  const { design } = layout
  const table = options.table ?? design.name
  checkTableName(table)
  refuseOptions(options)
  refuseDesign(design, table)
  const live = await describe(store, table)
  // Of a table that comes or goes, the service tells nothing more.
  const isThere = live !== undefined && !/^(CREATING|DELETING)$/.test(live.TableStatus ?? '')
  const difference = diff(design, live ?? made(createTableRequest(design, { table })), {
    ttl: isThere ? (await store.describeTimeToLive({ TableName: table })).TimeToLiveDescription : undefined,
    autoscaled: options.autoscaled ?? false,
    protection: await protectionOf(store, isThere, table, options),
  })
  return {
    table,
    create: live ? undefined : createTableRequest(design, { table }),
    consumers: await lackingConsumers(layout, store, table, options),
    difference: onTable(table, difference),
    ...(await fingerprintOf(layout, store, isThere ? live : undefined, table)),
  }
}

/** A table that is told by an ARN may be of another account, where the caller has one of the same name. */
function onTable(table: string, { steps, ...difference }: TableDifference): TableDifference {
  const asked = steps.map(step => ({ ...step, input: { ...step.input, TableName: table } }) as Step)
  return { ...difference, table, steps: asked }
}

async function lackingConsumers(
  { design }: Layout,
  store: Tables,
  table: string,
  { consumers = true }: DeployOptions,
): Promise<CreateTableRequest | undefined> {
  if (!consumers || design.stream === 'none') return undefined
  const name = consumersName(table)
  refuseConsumers(name)
  return (await describe(store, name)) ? undefined : createTableRequest(consumersDesign(name))
}

/** What makes it, in words. */
export const consumersWords = ({ TableName }: CreateTableRequest): string =>
  `Create the small table ${TableName}, in which those who follow the stream keep how far they are.`

export async function describe(store: Tables, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await store.describeTable({ TableName })).Table
  } catch (error) {
    if ((error as { name?: string }).name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** A table as it will be right after it was made. */
function made({ BillingMode, GlobalSecondaryIndexes, ...request }: CreateTableRequest): TableDescription {
  return {
    ...request,
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode },
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(index => ({ ...index, IndexStatus: 'ACTIVE' })),
  } as TableDescription
}

async function protectionOf(
  store: Tables,
  isThere: boolean,
  TableName: string,
  { recoveryDays = RECOVERY_DAYS, deletionProtection = true }: DeployOptions,
) {
  const wanted = recoveryDays > 0
  const answer = isThere && wanted ? await store.describeContinuousBackups({ TableName }).catch(noneThere) : undefined
  return {
    recoveryDays: wanted && answer !== 'unknown' ? recoveryDays : undefined,
    recovery: answer === 'unknown' ? undefined : answer?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription,
    deletion: deletionProtection,
  }
}

/** DynamoDB Local has no backups, and those of a table that has just become active are not known yet. */
function noneThere(error: unknown): 'unknown' | undefined {
  const { name } = error as { name?: string }
  if (name === 'UnknownOperationException') return 'unknown'
  if (name === 'TableNotFoundException') return undefined
  throw error
}

async function fingerprintOf(
  layout: Layout,
  store: Tables,
  live: TableDescription | undefined,
  TableName: string,
): Promise<Pick<Deployment, 'drift' | 'fingerprint'>> {
  // Where the keys of the table are others, nothing can be asked for by ours.
  const keys = live?.KeySchema?.map(({ AttributeName }) => AttributeName).join()
  if (keys !== layout.names.keys.join()) return { drift: [], fingerprint: 'none' }
  const { Item } = await store.getItem({ TableName, Key: fingerprintKey(layout), ConsistentRead: true })
  if (!Item) return { drift: [], fingerprint: 'none' }
  const drift = differences(shapeIn(Item, layout.shape), layout.shape)
  return { drift, fingerprint: Item.fingerprint?.S === layout.fingerprint ? 'same' : 'other' }
}

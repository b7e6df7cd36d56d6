import type {
  BillingMode,
  GlobalSecondaryIndex,
  KeySchemaElement,
  Projection,
  RestoreOverrides,
} from '../../dynamodb/operation-types.js'
import { validationError } from '../errors.js'
import { checkEncryption } from '../tables/definition/settings.validation.js'
import type { BackupSource } from './backup.js'
import { sourceBillingModeOf, sourceFeaturesOf } from './backup-description.js'

const invalidRequestError = (message: string) => validationError(`Invalid Request: ${message}`)

/** Checks the overrides of a restore: capacity must match the billing mode, and an override cannot add an index. */
export function checkRestoreOverrides(source: BackupSource, overrides: RestoreOverrides): void {
  const billing = overrides.BillingModeOverride ?? sourceBillingModeOf(source)
  checkTableUnits(billing, overrides)
  checkOnDemandUnits(billing, overrides)
  checkIndexesKnown(source, overrides)
  for (const index of overrides.GlobalSecondaryIndexOverride ?? []) checkIndexUnits(billing, overrides, index)
  checkRestoredIndexes(source, overrides)
  if (overrides.SSESpecificationOverride) checkEncryption(overrides.SSESpecificationOverride)
}

function checkTableUnits(billing: BillingMode, overrides: RestoreOverrides): void {
  const { BillingModeOverride, ProvisionedThroughputOverride: units } = overrides
  if (units && billing === 'PAY_PER_REQUEST') throw onDemandUnitsError(BillingModeOverride)
  if (!units && BillingModeOverride === 'PROVISIONED') throw missingUnitsError('')
}

const missingUnitsError = (ofIndex: string) =>
  invalidRequestError(`Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED${ofIndex}`)

function onDemandUnitsError(overridden: BillingMode | undefined, ofIndex = ''): Error {
  const why = overridden ? 'if BillingMode is overridden to PAY_PER_REQUEST' : 'unless BillingMode is PROVISIONED'
  return invalidRequestError(`Cannot override ProvisionedThroughput ${why}${ofIndex}`)
}

function checkOnDemandUnits(billing: BillingMode, { OnDemandThroughputOverride: bounds = {} }: RestoreOverrides): void {
  for (const name of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const units = bounds[name]
    if (units === undefined) continue
    if (billing === 'PROVISIONED')
      throw invalidRequestError(
        `Cannot override ${name} for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST`,
      )
    if (units < 1) throw invalidRequestError(`Requested ${name} for OnDemandThroughput is outside of valid range`)
  }
}

interface OverriddenIndex {
  IndexName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  Projection?: Projection | undefined
}

/** An override can rename or omit an index. It cannot change the key or the projection of an index. */
function checkIndexesKnown(source: BackupSource, overrides: RestoreOverrides): void {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [], VectorIndexes = [] } = sourceFeaturesOf(source)
  const { GlobalSecondaryIndexOverride: global = [], LocalSecondaryIndexOverride: local = [] } = overrides
  for (const index of global)
    if (!GlobalSecondaryIndexes.some(known => isSameIndex(known, index))) throw unknownIndexError(index)
  for (const index of local)
    if (!LocalSecondaryIndexes.some(known => isSameIndex(known, index))) throw unknownIndexError(index)
  for (const index of overrides.VectorIndexOverride ?? [])
    if (!VectorIndexes.some(known => isSameIndex(known, index))) throw unknownIndexError(index)
}

const unknownIndexError = ({ IndexName }: OverriddenIndex) =>
  invalidRequestError(
    `Index ${IndexName} does not match a secondary index that existed in the source table ` +
      'and cannot be created during the restore operation',
  )

const isSameIndex = (a: OverriddenIndex, b: OverriddenIndex) => comparableTextOf(a) === comparableTextOf(b)

/** Serializes an index without its name and capacity, with sorted members and projected attributes. */
function comparableTextOf(index: OverriddenIndex): string {
  const { IndexName, ProvisionedThroughput, OnDemandThroughput, WarmThroughput, ...same } =
    index as GlobalSecondaryIndex
  return JSON.stringify(same, (name, member) => {
    if (name === 'NonKeyAttributes') return (member as string[] | undefined)?.toSorted()
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function checkIndexUnits(billing: BillingMode, overrides: RestoreOverrides, index: GlobalSecondaryIndex): void {
  const { IndexName, ProvisionedThroughput: units } = index
  if (!units && billing === 'PROVISIONED')
    throw invalidRequestError(`Must specify provisioned throughput for index ${IndexName}`)
  if (units && billing === 'PAY_PER_REQUEST')
    throw onDemandUnitsError(overrides.BillingModeOverride, ` for index ${IndexName}`)
}

/** Indexes that were on demand have no provisioned units that the restored table could use. */
function checkRestoredIndexes(source: BackupSource, overrides: RestoreOverrides): void {
  if (overrides.BillingModeOverride !== 'PROVISIONED' || overrides.GlobalSecondaryIndexOverride) return
  for (const { IndexName, ProvisionedThroughput } of sourceFeaturesOf(source).GlobalSecondaryIndexes ?? [])
    if (!ProvisionedThroughput?.ReadCapacityUnits) throw missingUnitsError(` for index ${IndexName}`)
}

import type { RestoreOverrides } from '../../dynamodb/operations/backups.js'
import type { GlobalSecondaryIndex, KeySchemaElement, Projection } from '../../dynamodb/operations/indexes.js'
import type { BillingMode } from '../../dynamodb/operations/throughput.js'
import { validation } from '../errors.js'
import { checkEncryption } from '../tables/settings.validation.js'
import type { Source } from './backup.js'
import { billingModeOf, featuresOf } from './describe.js'

const refused = (message: string) => validation(`Invalid Request: ${message}`)

/** Whether a table can be restored so: its capacity goes with its billing mode, and it has no index that is new. */
export function checkOverrides(source: Source, overrides: RestoreOverrides): void {
  const billing = overrides.BillingModeOverride ?? billingModeOf(source)
  checkTableUnits(billing, overrides)
  checkOnDemandUnits(billing, overrides)
  checkIndexesKnown(source, overrides)
  for (const index of overrides.GlobalSecondaryIndexOverride ?? []) checkIndexUnits(billing, overrides, index)
  checkKeptIndexes(source, overrides)
  if (overrides.SSESpecificationOverride) checkEncryption(overrides.SSESpecificationOverride)
}

function checkTableUnits(billing: BillingMode, overrides: RestoreOverrides): void {
  const { BillingModeOverride, ProvisionedThroughputOverride: units } = overrides
  if (units && billing === 'PAY_PER_REQUEST') throw unitsOnDemand(BillingModeOverride)
  if (!units && BillingModeOverride === 'PROVISIONED') throw unitsMissing('')
}

const unitsMissing = (ofIndex: string) =>
  refused(`Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED${ofIndex}`)

function unitsOnDemand(overridden: BillingMode | undefined, ofIndex = ''): Error {
  const why = overridden ? 'if BillingMode is overridden to PAY_PER_REQUEST' : 'unless BillingMode is PROVISIONED'
  return refused(`Cannot override ProvisionedThroughput ${why}${ofIndex}`)
}

function checkOnDemandUnits(billing: BillingMode, { OnDemandThroughputOverride: bounds = {} }: RestoreOverrides): void {
  for (const name of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const units = bounds[name]
    if (units === undefined) continue
    if (billing === 'PROVISIONED')
      throw refused(`Cannot override ${name} for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST`)
    if (units < 1) throw refused(`Requested ${name} for OnDemandThroughput is outside of valid range`)
  }
}

interface Indexed {
  IndexName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  Projection?: Projection | undefined
}

/** An index can have another name, and be left out; its keys and what it holds are as they were. */
function checkIndexesKnown(source: Source, overrides: RestoreOverrides): void {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [], VectorIndexes = [] } = featuresOf(source)
  const { GlobalSecondaryIndexOverride: global = [], LocalSecondaryIndexOverride: local = [] } = overrides
  for (const index of global) if (!GlobalSecondaryIndexes.some(known => isAlike(known, index))) throw unknown(index)
  for (const index of local) if (!LocalSecondaryIndexes.some(known => isAlike(known, index))) throw unknown(index)
  for (const index of overrides.VectorIndexOverride ?? [])
    if (!VectorIndexes.some(known => isAlike(known, index))) throw unknown(index)
}

const unknown = ({ IndexName }: Indexed) =>
  refused(
    `Index ${IndexName} does not match a secondary index that existed in the source table ` +
      'and cannot be created during the restore operation',
  )

const isAlike = (a: Indexed, b: Indexed) => textOf(a) === textOf(b)

/** All but the name and the capacity, with members and projected attributes in order. */
function textOf(index: Indexed): string {
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
  if (!units && billing === 'PROVISIONED') throw refused(`Must specify provisioned throughput for index ${IndexName}`)
  if (units && billing === 'PAY_PER_REQUEST')
    throw unitsOnDemand(overrides.BillingModeOverride, ` for index ${IndexName}`)
}

/** Indexes that were on demand have no units to go on with. */
function checkKeptIndexes(source: Source, overrides: RestoreOverrides): void {
  if (overrides.BillingModeOverride !== 'PROVISIONED' || overrides.GlobalSecondaryIndexOverride) return
  for (const { IndexName, ProvisionedThroughput } of featuresOf(source).GlobalSecondaryIndexes ?? [])
    if (!ProvisionedThroughput?.ReadCapacityUnits) throw unitsMissing(` for index ${IndexName}`)
}

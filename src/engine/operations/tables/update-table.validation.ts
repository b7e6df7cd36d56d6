import type { UpdateTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError, validationError } from '../../errors.js'
import { checkEncryption } from '../../tables/definition/settings.validation.js'
import { checkCapacityUnits } from '../../tables/definition/throughput.validation.js'
import { checkIndexUpdates, checkIndexWarmThroughput } from '../../tables/update/index-updates.validation.js'
import { checkReplicaUpdates } from '../../tables/update/replicas.validation.js'
import {
  type ChangeName,
  countIndexChanges,
  emptyThroughputOf,
  requestedChangesOf,
} from '../../tables/update/requested-changes.js'

/** Checks everything that does not depend on the table. */
export function validateUpdateTable({ region }: Engine, request: UpdateTableInput): void {
  // A change with empty members is reported only after the table is found.
  if (emptyThroughputOf(request).length === 0) checkAnyChange(request)
  checkNoReplication(request, region)
  if (request.GlobalSecondaryIndexUpdates?.length === 0)
    throw invalidParameterError('List of GlobalSecondaryIndexUpdates is empty')
  checkIndexWarmThroughput(request)
  checkCombination(request, new Set(requestedChangesOf(request)))
  checkCapacity(request)
  if (request.StreamSpecification) checkStreamChange(request.StreamSpecification)
  if (request.SSESpecification) checkEncryption(request.SSESpecification)
  checkIndexUpdates(request)
}

/** Removes throughput settings without members, which the service ignores once the rest of the request is valid. */
export function removeEmptyThroughput(request: UpdateTableInput): void {
  for (const name of emptyThroughputOf(request)) delete request[name]
}

/** The list of the service's message, which includes changes that this engine does not support. */
const CHANGE_NAMES = [
  ...['ProvisionedThroughput', 'BillingMode', 'UpdateStreamEnabled', 'GlobalSecondaryIndexUpdates'],
  ...['SSESpecification', 'ReplicaUpdates', 'MultiAccountReplicaReady', 'ReplicaTransitRoleArn'],
  ...['MultiRegionConsistency', 'DeletionProtectionEnabled', 'OnDemandThroughput', 'WarmThroughput'],
]

export function checkAnyChange(request: UpdateTableInput): void {
  if (requestedChangesOf(request).length > 0) return
  const names = CHANGE_NAMES.filter(name => name !== 'MultiRegionConsistency' || !request.MultiRegionConsistency)
  throw validationError(`At least one of ${names.join(', ')} or TableClass is required`)
}

/** The engine supports one region only. A missing replica is reported once the table is found. */
function checkNoReplication(request: UpdateTableInput, region: string): void {
  checkReplicaUpdates(request, region)
  const { ReplicaUpdates = [], GlobalTableWitnessUpdates, MultiRegionConsistency } = request
  const adds = ReplicaUpdates.some(({ Create, Disassociate }) => Create ?? Disassociate)
  const requested = { ReplicaUpdates: adds || undefined, GlobalTableWitnessUpdates, MultiRegionConsistency }
  for (const [name, value] of Object.entries(requested))
    if (value !== undefined) throw validationError(`This engine has one region and does not take ${name}`)
}

/** The order in which the service reports these changes. */
const EXCLUSIVE_CHANGES: readonly [ChangeName, string][] = [
  ['SSESpecification', 'Server-Side Encryption modification'],
  ['TableClass', 'TableClass modification'],
  ['DeletionProtectionEnabled', 'DeletionProtection modification'],
]

/** A request makes one change, with a few exceptions. */
function checkCombination(request: UpdateTableInput, changes: ReadonlySet<ChangeName>): void {
  for (const [name, what] of EXCLUSIVE_CHANGES) if (changes.has(name)) checkExclusiveChange(changes, what)
  if (changes.has('OnDemandThroughput') && changes.size > (changes.has('BillingMode') ? 2 : 1))
    throw invalidParameterError('OnDemandThroughput can only be combined with BillingMode in an UpdateTable request')
  if (changes.has('WarmThroughput')) {
    if (request.GlobalSecondaryIndexUpdates?.some(({ Create }) => Create))
      throw invalidParameterError('Create global secondary index cannot be specified when updating WarmThroughput')
    checkExclusiveChange(changes, 'WarmThroughput')
  }
  const streams = changes.has('StreamSpecification')
  const units = changes.has('ProvisionedThroughput')
  if (streams && units) throw invalidParameterError('You cannot modify stream status while updating table IOPS')
  if (countIndexChanges(request) === 0) return
  if (units) throw invalidParameterError('You cannot create or delete index while updating table IOPS')
  if (streams) throw invalidParameterError('You cannot create or delete index while changing stream status')
}

function checkExclusiveChange(changes: ReadonlySet<ChangeName>, what: string): void {
  if (changes.size > 1) throw invalidParameterError(`${what} must be the only operation in the request`)
}

function checkCapacity({ BillingMode, ProvisionedThroughput }: UpdateTableInput): void {
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput)
    throw invalidParameterError('ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST')
  if (BillingMode === 'PROVISIONED' && !ProvisionedThroughput)
    throw invalidParameterError('ProvisionedThroughput must be specified when BillingMode is PROVISIONED')
  if (ProvisionedThroughput) checkCapacityUnits(ProvisionedThroughput, '')
}

function checkStreamChange({
  StreamEnabled,
  StreamViewType,
}: NonNullable<UpdateTableInput['StreamSpecification']>): void {
  if (StreamEnabled && !StreamViewType)
    throw invalidParameterError('If stream is being enabled then UpdateViewType is required')
  if (!StreamEnabled && StreamViewType)
    throw invalidParameterError('If stream is being disabled, then UpdateViewType must not be specified')
}

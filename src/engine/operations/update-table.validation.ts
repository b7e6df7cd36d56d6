import type { UpdateTableRequest } from '../../dynamodb/operations/update-table.js'
import type { Engine } from '../engine.js'
import { invalidParameter, validation } from '../errors.js'
import { checkEncryption } from '../tables/settings.validation.js'
import { checkCapacityUnits } from '../tables/throughput.validation.js'
import { type ChangeName, changesIn, emptyThroughput, indexesMadeOrDeleted } from '../tables/update/changes.js'
import { checkIndexUpdates, checkWarmIndexes } from '../tables/update/index-updates.validation.js'
import { checkReplicaUpdates } from '../tables/update/replicas.validation.js'

/** What is wrong with a request whatever its table is. */
export function validateUpdateTable({ region }: Engine, request: UpdateTableRequest): void {
  // What names a change that is none is told so once its table is known.
  if (emptyThroughput(request).length === 0) checkAnyChange(request)
  refuseReplication(request, region)
  if (request.GlobalSecondaryIndexUpdates?.length === 0)
    throw invalidParameter('List of GlobalSecondaryIndexUpdates is empty')
  checkWarmIndexes(request)
  checkCombination(request, new Set(changesIn(request)))
  checkCapacity(request)
  if (request.StreamSpecification) checkStream(request.StreamSpecification)
  if (request.SSESpecification) checkEncryption(request.SSESpecification)
  checkIndexUpdates(request)
}

/** What is said without members is as good as not said, once the rest of the request is right. */
export function forgetEmptyThroughput(request: UpdateTableRequest): void {
  for (const name of emptyThroughput(request)) delete request[name]
}

/** As the service lists them, with some that no request can have. */
const ASKED_FOR = [
  ...['ProvisionedThroughput', 'BillingMode', 'UpdateStreamEnabled', 'GlobalSecondaryIndexUpdates'],
  ...['SSESpecification', 'ReplicaUpdates', 'MultiAccountReplicaReady', 'ReplicaTransitRoleArn'],
  ...['MultiRegionConsistency', 'DeletionProtectionEnabled', 'OnDemandThroughput', 'WarmThroughput'],
]

export function checkAnyChange(request: UpdateTableRequest): void {
  if (changesIn(request).length > 0) return
  const names = ASKED_FOR.filter(name => name !== 'MultiRegionConsistency' || !request.MultiRegionConsistency)
  throw validation(`At least one of ${names.join(', ')} or TableClass is required`)
}

/** Tables of several regions are more than an engine has; that one has no such replica is told once it is known. */
function refuseReplication(request: UpdateTableRequest, region: string): void {
  checkReplicaUpdates(request, region)
  const { ReplicaUpdates = [], GlobalTableWitnessUpdates, MultiRegionConsistency } = request
  const adds = ReplicaUpdates.some(({ Create, Disassociate }) => Create ?? Disassociate)
  const asked = { ReplicaUpdates: adds || undefined, GlobalTableWitnessUpdates, MultiRegionConsistency }
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) throw validation(`This engine has one region and does not take ${name}`)
}

/** In the order in which the service names them. */
const ALONE: readonly [ChangeName, string][] = [
  ['SSESpecification', 'Server-Side Encryption modification'],
  ['TableClass', 'TableClass modification'],
  ['DeletionProtectionEnabled', 'DeletionProtection modification'],
]

/** One request makes one change, but for a few that go together. */
function checkCombination(request: UpdateTableRequest, changes: ReadonlySet<ChangeName>): void {
  for (const [name, what] of ALONE) if (changes.has(name)) checkAlone(changes, what)
  if (changes.has('OnDemandThroughput') && changes.size > (changes.has('BillingMode') ? 2 : 1))
    throw invalidParameter('OnDemandThroughput can only be combined with BillingMode in an UpdateTable request')
  if (changes.has('WarmThroughput')) {
    if (request.GlobalSecondaryIndexUpdates?.some(({ Create }) => Create))
      throw invalidParameter('Create global secondary index cannot be specified when updating WarmThroughput')
    checkAlone(changes, 'WarmThroughput')
  }
  const streams = changes.has('StreamSpecification')
  const units = changes.has('ProvisionedThroughput')
  if (streams && units) throw invalidParameter('You cannot modify stream status while updating table IOPS')
  if (indexesMadeOrDeleted(request) === 0) return
  if (units) throw invalidParameter('You cannot create or delete index while updating table IOPS')
  if (streams) throw invalidParameter('You cannot create or delete index while changing stream status')
}

function checkAlone(changes: ReadonlySet<ChangeName>, what: string): void {
  if (changes.size > 1) throw invalidParameter(`${what} must be the only operation in the request`)
}

function checkCapacity({ BillingMode, ProvisionedThroughput }: UpdateTableRequest): void {
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput)
    throw invalidParameter('ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST')
  if (BillingMode === 'PROVISIONED' && !ProvisionedThroughput)
    throw invalidParameter('ProvisionedThroughput must be specified when BillingMode is PROVISIONED')
  if (ProvisionedThroughput) checkCapacityUnits(ProvisionedThroughput, '')
}

function checkStream({ StreamEnabled, StreamViewType }: NonNullable<UpdateTableRequest['StreamSpecification']>): void {
  if (StreamEnabled && !StreamViewType)
    throw invalidParameter('If stream is being enabled then UpdateViewType is required')
  if (!StreamEnabled && StreamViewType)
    throw invalidParameter('If stream is being disabled, then UpdateViewType must not be specified')
}

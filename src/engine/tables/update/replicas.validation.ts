import type { ReplicationGroupUpdate, UpdateTableInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../../errors.js'
import { type ChangeName, requestedChangesOf } from './requested-changes.js'

/** The members that a request may combine with changes of replicas. */
const COMBINABLE_CHANGES: ReadonlySet<ChangeName> = new Set(['ReplicaUpdates', 'GlobalTableWitnessUpdates'])

/** Checks changes of replicas without the table. The messages are the service's of October 2026. */
export function checkReplicaUpdates(request: UpdateTableInput, region: string): void {
  const { ReplicaUpdates: updates, MultiRegionConsistency } = request
  if (!updates) return
  if (requestedChangesOf(request).some(name => !COMBINABLE_CHANGES.has(name)))
    throw invalidParameterError('Replica modification must be the only operation in the request')
  if (updates.some(update => actionsOf(update).length > 1))
    throw validationError('Update table operation with more than one type of replica actions not allowed.')
  if (updates.some(isEmptyUpdate))
    throw validationError('There are no actions specified in the Replica Update Action of the request.')
  const regions = new Set(updates.flatMap(({ Create, Delete }) => (Create ?? Delete)?.RegionName ?? []))
  if (regions.has(region))
    throw validationError(
      'Cannot add or delete the local region through ReplicaUpdates. ' +
        'Use CreateTable, DeleteTable, or UpdateTable as required.',
    )
  // Two updates of the same region are allowed. Strongly consistent global tables create all replicas at once.
  if (regions.size > 1 && MultiRegionConsistency !== 'STRONG')
    throw validationError('Update table operation with more than one create or delete replica actions not allowed')
}

/** Throws for any replica of the request, because the tables of this engine have none. */
export function checkReplicasOfTable({ ReplicaUpdates: updates = [] }: UpdateTableInput): void {
  const unknownRegions = updates.flatMap(({ Update, Delete }) => (Update ?? Delete)?.RegionName ?? [])
  if (unknownRegions.length > 0)
    throw validationError(
      'Update global table operation failed because one or more replicas were not part of the global table. ' +
        `Please retry the request without these replicas: [${unknownRegions.join(', ')}].`,
    )
}

const actionsOf = (update: ReplicationGroupUpdate) => Object.values(update).filter(action => action !== undefined)

function isEmptyUpdate(update: ReplicationGroupUpdate): boolean {
  const { RegionName, ...changed } = update.Update ?? { RegionName: undefined }
  return actionsOf(update).length === 0 || (RegionName !== undefined && Object.keys(changed).length === 0)
}

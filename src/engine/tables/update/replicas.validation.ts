import type { ReplicationGroupUpdate } from '../../../dynamodb/operations/replication.js'
import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { invalidParameter, validation } from '../../errors.js'
import { type ChangeName, changesIn } from './changes.js'

/** What a request may change beside replicas. */
const BESIDE: ReadonlySet<ChangeName> = new Set(['ReplicaUpdates', 'GlobalTableWitnessUpdates'])

/** What is wrong with a change of replicas whatever its table is, in the service's words of October 2026. */
export function checkReplicaUpdates(request: UpdateTableRequest, region: string): void {
  const { ReplicaUpdates: updates, MultiRegionConsistency } = request
  if (!updates) return
  if (changesIn(request).some(name => !BESIDE.has(name)))
    throw invalidParameter('Replica modification must be the only operation in the request')
  if (updates.some(update => actionsOf(update).length > 1))
    throw validation('Update table operation with more than one type of replica actions not allowed.')
  if (updates.some(doesNothing))
    throw validation('There are no actions specified in the Replica Update Action of the request.')
  const regions = new Set(updates.flatMap(({ Create, Delete }) => (Create ?? Delete)?.RegionName ?? []))
  if (regions.has(region))
    throw validation(
      'Cannot add or delete the local region through ReplicaUpdates. ' +
        'Use CreateTable, DeleteTable, or UpdateTable as required.',
    )
  // Of two that name the same region one is taken; tables that are consistent over regions get theirs at once.
  if (regions.size > 1 && MultiRegionConsistency !== 'STRONG')
    throw validation('Update table operation with more than one create or delete replica actions not allowed')
}

/** A table of an engine has no replicas. */
export function checkReplicasOfTable({ ReplicaUpdates: updates = [] }: UpdateTableRequest): void {
  const strangers = updates.flatMap(({ Update, Delete }) => (Update ?? Delete)?.RegionName ?? [])
  if (strangers.length > 0)
    throw validation(
      'Update global table operation failed because one or more replicas were not part of the global table. ' +
        `Please retry the request without these replicas: [${strangers.join(', ')}].`,
    )
}

const actionsOf = (update: ReplicationGroupUpdate) => Object.values(update).filter(action => action !== undefined)

function doesNothing(update: ReplicationGroupUpdate): boolean {
  const { RegionName, ...changed } = update.Update ?? { RegionName: undefined }
  return actionsOf(update).length === 0 || (RegionName !== undefined && Object.keys(changed).length === 0)
}

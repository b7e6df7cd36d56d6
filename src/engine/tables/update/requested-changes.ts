import type { UpdateTableInput } from '../../../dynamodb/operation-types.js'
import { hasAnyMember } from '../description/throughput-description.js'

/** Every member of the request that is a change of its own. */
const CHANGES = [
  'ProvisionedThroughput',
  'BillingMode',
  'GlobalSecondaryIndexUpdates',
  'VectorIndexUpdates',
  'StreamSpecification',
  'SSESpecification',
  'ReplicaUpdates',
  'GlobalTableWitnessUpdates',
  'TableClass',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'WarmThroughput',
  'GlobalTableSettingsReplicationMode',
  'DisassociationProtectionEnabled',
] as const

export type ChangeName = (typeof CHANGES)[number]

/** Returns the changes that a request makes. An empty list is not a change. */
export function requestedChangesOf(request: UpdateTableInput): ChangeName[] {
  const empty: readonly ChangeName[] = emptyThroughputOf(request)
  return CHANGES.filter(name => {
    const value = request[name]
    return value !== undefined && !empty.includes(name) && !(Array.isArray(value) && value.length === 0)
  })
}

/** Returns the throughput members without content, which change nothing. */
export function emptyThroughputOf(request: UpdateTableInput) {
  const names = ['OnDemandThroughput', 'WarmThroughput'] as const
  return names.filter(name => request[name] && !hasAnyMember(request[name]))
}

/** Counts the indexes of both kinds that a request creates or deletes. */
export function countIndexChanges(request: UpdateTableInput): number {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.filter(({ Create, Delete }) => Create || Delete).length
}

export function createdIndexNameOf(request: UpdateTableInput): string | undefined {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.find(({ Create }) => Create)?.Create?.IndexName
}

/** Returns the names of the indexes that a request deletes. */
export function deletedIndexNamesOf(request: UpdateTableInput): string[] {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.flatMap(({ Delete }) => Delete?.IndexName ?? [])
}

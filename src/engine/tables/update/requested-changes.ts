import type { UpdateTableInput } from '../../../dynamodb/operations/update-table.js'
import { hasAnyMember } from '../description/throughput-description.js'

/** Every member of the request that changes something by itself. */
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

/** The changes that a request asks for. A list without members is none. */
export function requestedChangesOf(request: UpdateTableInput): ChangeName[] {
  const empty: readonly ChangeName[] = emptyThroughputOf(request)
  return CHANGES.filter(name => {
    const value = request[name]
    return value !== undefined && !empty.includes(name) && !(Array.isArray(value) && value.length === 0)
  })
}

/** Bounds and what to be warm for without members, which change nothing. */
export function emptyThroughputOf(request: UpdateTableInput) {
  const names = ['OnDemandThroughput', 'WarmThroughput'] as const
  return names.filter(name => request[name] && !hasAnyMember(request[name]))
}

/** How many indexes a request creates or deletes, of either kind. */
export function countIndexChanges(request: UpdateTableInput): number {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.filter(({ Create, Delete }) => Create || Delete).length
}

export function createdIndexNameOf(request: UpdateTableInput): string | undefined {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.find(({ Create }) => Create)?.Create?.IndexName
}

/** The names of those that a request deletes. */
export function deletedIndexNamesOf(request: UpdateTableInput): string[] {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.flatMap(({ Delete }) => Delete?.IndexName ?? [])
}

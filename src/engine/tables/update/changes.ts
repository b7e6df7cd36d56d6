import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { saysAnything } from '../describe-throughput.js'

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
export function changesIn(request: UpdateTableRequest): ChangeName[] {
  const empty: readonly ChangeName[] = emptyThroughput(request)
  return CHANGES.filter(name => {
    const value = request[name]
    return value !== undefined && !empty.includes(name) && !(Array.isArray(value) && value.length === 0)
  })
}

/** Bounds and what to be warm for without members, which change nothing. */
export function emptyThroughput(request: UpdateTableRequest) {
  const names = ['OnDemandThroughput', 'WarmThroughput'] as const
  return names.filter(name => request[name] && !saysAnything(request[name]))
}

/** How many indexes a request creates or deletes, of either kind. */
export function indexesMadeOrDeleted(request: UpdateTableRequest): number {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.filter(({ Create, Delete }) => Create || Delete).length
}

export function createdIndex(request: UpdateTableRequest): string | undefined {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.find(({ Create }) => Create)?.Create?.IndexName
}

/** The names of those that a request deletes. */
export function deletedIndexes(request: UpdateTableRequest): string[] {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.flatMap(({ Delete }) => Delete?.IndexName ?? [])
}

import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'

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

/** The changes that a request asks for. A list or bounds without members are none. */
export function changesIn(request: UpdateTableRequest): ChangeName[] {
  return CHANGES.filter(name => {
    const value = request[name]
    if (value === undefined) return false
    if (Array.isArray(value)) return value.length > 0
    return name !== 'OnDemandThroughput' || Object.values(value).some(units => units !== undefined)
  })
}

/** How many indexes a request creates or deletes, of either kind. */
export function indexesMadeOrDeleted(request: UpdateTableRequest): number {
  const updates = [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]
  return updates.filter(({ Create, Delete }) => Create || Delete).length
}

export function createdIndex(request: UpdateTableRequest): string | undefined {
  return request.GlobalSecondaryIndexUpdates?.find(({ Create }) => Create)?.Create?.IndexName
}

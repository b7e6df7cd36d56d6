import { INVALID_VALUES } from '../../dynamodb/model/global-tables.js'
import type { UpdateGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import { invalidParameter, validation } from '../errors.js'

export function validateUpdateGlobalTable({ ReplicaUpdates }: UpdateGlobalTableRequest): void {
  if (ReplicaUpdates.length === 0) throw validation(INVALID_VALUES)
  for (const { Create, Delete } of ReplicaUpdates) {
    if (!Create && !Delete) throw validation(INVALID_VALUES)
    if (Create && Delete)
      throw invalidParameter(
        'A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action',
      )
  }
}

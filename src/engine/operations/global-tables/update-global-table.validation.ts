import { INVALID_VALUES } from '../../../dynamodb/model/overlay/members.js'
import type { UpdateGlobalTableInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../../errors.js'

export function validateUpdateGlobalTable({ ReplicaUpdates }: UpdateGlobalTableInput): void {
  if (ReplicaUpdates.length === 0) throw validationError(INVALID_VALUES)
  for (const { Create, Delete } of ReplicaUpdates) {
    if (!Create && !Delete) throw validationError(INVALID_VALUES)
    if (Create && Delete)
      throw invalidParameterError(
        'A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action',
      )
  }
}

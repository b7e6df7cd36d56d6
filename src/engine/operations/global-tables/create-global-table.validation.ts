import { MemberPath } from '../../../dynamodb/model/path.js'
import { formatMissingMember, formatViolations } from '../../../dynamodb/model/wording.js'
import type { CreateGlobalTableInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'

export function validateCreateGlobalTable({ ReplicationGroup }: CreateGlobalTableInput): void {
  if (ReplicationGroup.length === 0) throw invalidParameterError('Global table must have atleast one replica')
  // The model declares this member as optional, but the service requires it and wraps the model's message in another.
  const replicas = MemberPath.root.member('ReplicationGroup')
  const nameless = ReplicationGroup.flatMap(({ RegionName }, index) =>
    RegionName === undefined ? [formatMissingMember(replicas.element(index).member('RegionName'))] : [],
  )
  if (nameless.length > 0) throw invalidParameterError(formatViolations(nameless))
}

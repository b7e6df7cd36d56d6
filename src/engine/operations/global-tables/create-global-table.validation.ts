import { MemberPath } from '../../../dynamodb/model/path.js'
import { formatMissingMember, formatViolations } from '../../../dynamodb/model/wording.js'
import type { CreateGlobalTableInput } from '../../../dynamodb/operations/global-tables.js'
import { invalidParameterError } from '../../errors.js'

export function validateCreateGlobalTable({ ReplicationGroup }: CreateGlobalTableInput): void {
  if (ReplicationGroup.length === 0) throw invalidParameterError('Global table must have atleast one replica')
  // The model lets it be missing; the service asks for it all the same, in the model's words within others.
  const replicas = MemberPath.root.member('ReplicationGroup')
  const nameless = ReplicationGroup.flatMap(({ RegionName }, index) =>
    RegionName === undefined ? [formatMissingMember(replicas.element(index).member('RegionName'))] : [],
  )
  if (nameless.length > 0) throw invalidParameterError(formatViolations(nameless))
}

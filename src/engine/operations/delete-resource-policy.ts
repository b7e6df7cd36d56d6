import type {
  DeleteResourcePolicyAnswer,
  DeleteResourcePolicyRequest,
} from '../../dynamodb/operations/resource-policies.js'
import type { Engine } from '../engine.js'
import { changePolicy, checkRevision, isTable, revisionOf } from '../policies/change.js'
import { findPolicyHolder, policyResource } from '../tables/resource-arns.js'
import { refuseWhileCreatingOrDeleting } from '../tables/transition.js'

/** Where there is no policy, nothing is to be done. */
export function deleteResourcePolicy(engine: Engine, request: DeleteResourcePolicyRequest): DeleteResourcePolicyAnswer {
  const holder = findPolicyHolder(engine, policyResource(engine, request.ResourceArn))
  checkRevision(engine, holder, request.ExpectedRevisionId)
  const RevisionId = revisionOf(engine, holder)
  if (isTable(holder)) refuseWhileCreatingOrDeleting(holder)
  if (holder.policy?.document !== undefined) changePolicy(engine, holder, undefined)
  return RevisionId === undefined ? {} : { RevisionId }
}

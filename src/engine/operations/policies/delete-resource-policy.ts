import type { DeleteResourcePolicyInput, DeleteResourcePolicyOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { changePolicy, checkPolicyRevision, isTableHolder, policyRevisionOf } from '../../policies/change-policy.js'
import { findPolicyHolder, parsePolicyArn } from '../../tables/resource-arns.js'
import { checkNotCreatingOrDeleting } from '../../tables/table-transition.js'

/** Deletes a policy. Without a policy the call has no effect. */
export function deleteResourcePolicy(engine: Engine, request: DeleteResourcePolicyInput): DeleteResourcePolicyOutput {
  const holder = findPolicyHolder(engine, parsePolicyArn(engine, request.ResourceArn))
  checkPolicyRevision(engine, holder, request.ExpectedRevisionId)
  const RevisionId = policyRevisionOf(engine, holder)
  if (isTableHolder(holder)) checkNotCreatingOrDeleting(holder)
  if (holder.policy?.document !== undefined) changePolicy(engine, holder, undefined)
  return RevisionId === undefined ? {} : { RevisionId }
}

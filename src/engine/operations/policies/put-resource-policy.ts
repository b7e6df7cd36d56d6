import type { PutResourcePolicyInput, PutResourcePolicyOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { changePolicy, checkPolicyRevision, isTableHolder } from '../../policies/change-policy.js'
import { policyTextOf } from '../../policies/policy-document.js'
import { findPolicyHolder, parsePolicyArn } from '../../tables/resource-arns.js'
import { checkNotCreatingOrDeleting } from '../../tables/table-transition.js'
import { readPutResourcePolicy } from './put-resource-policy.validation.js'

/** Sets a policy. An identical policy keeps the current revision. */
export function putResourcePolicy(engine: Engine, request: PutResourcePolicyInput): PutResourcePolicyOutput {
  const resource = parsePolicyArn(engine, request.ResourceArn)
  const document = policyTextOf(readPutResourcePolicy(engine, request, resource))
  const holder = findPolicyHolder(engine, resource)
  checkPolicyRevision(engine, holder, request.ExpectedRevisionId)
  if (holder.policy?.document === document) return { RevisionId: `${holder.policy.revisionMs}` }
  if (isTableHolder(holder)) checkNotCreatingOrDeleting(holder)
  return { RevisionId: `${changePolicy(engine, holder, document).revisionMs}` }
}

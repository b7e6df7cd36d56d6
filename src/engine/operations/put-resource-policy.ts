import type { PutResourcePolicyAnswer, PutResourcePolicyRequest } from '../../dynamodb/operations/resource-policies.js'
import type { Engine } from '../engine.js'
import { changePolicy, checkRevision, isTable } from '../policies/change.js'
import { textOf } from '../policies/document.js'
import { findPolicyHolder, policyResource } from '../tables/resource-arns.js'
import { refuseWhileCreatingOrDeleting } from '../tables/transition.js'
import { readPutResourcePolicy } from './put-resource-policy.validation.js'

/** A policy that says what the current one does leaves that as it is. */
export function putResourcePolicy(engine: Engine, request: PutResourcePolicyRequest): PutResourcePolicyAnswer {
  const resource = policyResource(engine, request.ResourceArn)
  const document = textOf(readPutResourcePolicy(engine, request, resource))
  const holder = findPolicyHolder(engine, resource)
  checkRevision(engine, holder, request.ExpectedRevisionId)
  if (holder.policy?.document === document) return { RevisionId: `${holder.policy.revisionMs}` }
  if (isTable(holder)) refuseWhileCreatingOrDeleting(holder)
  return { RevisionId: `${changePolicy(engine, holder, document).revisionMs}` }
}

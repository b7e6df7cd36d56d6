import type { GetResourcePolicyAnswer, GetResourcePolicyRequest } from '../../dynamodb/operations/resource-policies.js'
import type { Engine } from '../engine.js'
import { policyNotFound, shownPolicy } from '../policies/change.js'
import { answered } from '../policies/document.js'
import { findPolicyHolder, policyResource } from '../tables/resource-arns.js'

export function getResourcePolicy(engine: Engine, { ResourceArn }: GetResourcePolicyRequest): GetResourcePolicyAnswer {
  const policy = shownPolicy(engine, findPolicyHolder(engine, policyResource(engine, ResourceArn)))
  if (policy?.document === undefined) throw policyNotFound(ResourceArn)
  return { Policy: answered(policy.document), RevisionId: `${policy.revisionMs}` }
}

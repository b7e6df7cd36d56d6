import type { GetResourcePolicyInput, GetResourcePolicyOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { policyNotFoundError, visiblePolicyOf } from '../../policies/change-policy.js'
import { toPolicyOutput } from '../../policies/policy-document.js'
import { findPolicyHolder, parsePolicyArn } from '../../tables/resource-arns.js'

export function getResourcePolicy(engine: Engine, { ResourceArn }: GetResourcePolicyInput): GetResourcePolicyOutput {
  const policy = visiblePolicyOf(engine, findPolicyHolder(engine, parsePolicyArn(engine, ResourceArn)))
  if (policy?.document === undefined) throw policyNotFoundError(ResourceArn)
  return { Policy: toPolicyOutput(policy.document), RevisionId: `${policy.revisionMs}` }
}

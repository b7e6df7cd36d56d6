import type { PutResourcePolicyInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { ServiceError } from '../../errors.js'
import { isLockingOut } from '../../policies/lockout.js'
import { type CanonicalPolicy, parsePolicy } from '../../policies/policy-document.js'
import { checkPolicyDocument } from '../../policies/policy-document.validation.js'
import type { PolicyResource } from '../../tables/resource-arns.js'

export function readPutResourcePolicy(
  { accountId }: Engine,
  { ResourceArn, Policy, ConfirmRemoveSelfResourceAccess }: PutResourcePolicyInput,
  { label }: PolicyResource,
): CanonicalPolicy {
  const document = parsePolicy(Policy)
  checkPolicyDocument(document, label === undefined ? 'table' : 'stream')
  if (!ConfirmRemoveSelfResourceAccess && isLockingOut(document, ResourceArn, accountId))
    throw new ServiceError(
      'AccessDeniedException',
      'The new resource policy will not allow you to update the resource policy in the future.',
    )
  return document
}

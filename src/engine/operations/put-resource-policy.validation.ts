import type { PutResourcePolicyRequest } from '../../dynamodb/operations/resource-policies.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { type PolicyDocument, readPolicy } from '../policies/document.js'
import { checkPolicy } from '../policies/document.validation.js'
import { locksOut } from '../policies/lockout.js'
import type { PolicyResource } from '../tables/resource-arns.js'

export function readPutResourcePolicy(
  { accountId }: Engine,
  { ResourceArn, Policy, ConfirmRemoveSelfResourceAccess }: PutResourcePolicyRequest,
  { label }: PolicyResource,
): PolicyDocument {
  const document = readPolicy(Policy)
  checkPolicy(document, label === undefined ? 'table' : 'stream')
  if (!ConfirmRemoveSelfResourceAccess && locksOut(document, ResourceArn, accountId))
    throw new ServiceError(
      'AccessDeniedException',
      'The new resource policy will not allow you to update the resource policy in the future.',
    )
  return document
}

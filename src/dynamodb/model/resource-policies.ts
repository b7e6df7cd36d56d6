import { POLICY_REVISION_CHARACTERS, RESOURCE_ARN_CHARACTERS } from '../limits.js'
import { max, min } from './constraints.js'
import { booleanShape, requiredShape, structureShape, textShape } from './shapes.js'

const resourceArn = requiredShape(textShape(min(1), max(RESOURCE_ARN_CHARACTERS)))
const revisionId = textShape(min(1), max(POLICY_REVISION_CHARACTERS))

export const putResourcePolicy = structureShape('PutResourcePolicyInput', {
  ResourceArn: resourceArn,
  Policy: requiredShape(textShape()),
  ExpectedRevisionId: revisionId,
  ConfirmRemoveSelfResourceAccess: booleanShape,
})
export const getResourcePolicy = structureShape('GetResourcePolicyInput', { ResourceArn: resourceArn })
export const deleteResourcePolicy = structureShape('DeleteResourcePolicyInput', {
  ResourceArn: resourceArn,
  ExpectedRevisionId: revisionId,
})

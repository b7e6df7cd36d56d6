import { POLICY_REVISION_CHARACTERS, RESOURCE_ARN_CHARACTERS } from '../limits.js'
import { max, min } from './constraints.js'
import { boolean, required, structure, text } from './shapes.js'

const resourceArn = required(text(min(1), max(RESOURCE_ARN_CHARACTERS)))
const revisionId = text(min(1), max(POLICY_REVISION_CHARACTERS))

export const putResourcePolicy = structure('PutResourcePolicyInput', {
  ResourceArn: resourceArn,
  Policy: required(text()),
  ExpectedRevisionId: revisionId,
  ConfirmRemoveSelfResourceAccess: boolean,
})
export const getResourcePolicy = structure('GetResourcePolicyInput', { ResourceArn: resourceArn })
export const deleteResourcePolicy = structure('DeleteResourcePolicyInput', {
  ResourceArn: resourceArn,
  ExpectedRevisionId: revisionId,
})

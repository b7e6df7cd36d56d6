export interface PutResourcePolicyInput {
  /** The ARN of a table or of a stream. */
  ResourceArn: string
  /** The policy as a JSON document. */
  Policy: string
  /** The revision to replace, or `NO_POLICY`. */
  ExpectedRevisionId?: string | undefined
  /** Required for a policy that prevents its author from changing it again. */
  ConfirmRemoveSelfResourceAccess?: boolean | undefined
}

export interface PutResourcePolicyOutput {
  RevisionId?: string | undefined
}

export interface GetResourcePolicyInput {
  ResourceArn: string
}

export interface GetResourcePolicyOutput {
  Policy?: string | undefined
  RevisionId?: string | undefined
}

export interface DeleteResourcePolicyInput {
  ResourceArn: string
  ExpectedRevisionId?: string | undefined
}

export interface DeleteResourcePolicyOutput {
  RevisionId?: string | undefined
}

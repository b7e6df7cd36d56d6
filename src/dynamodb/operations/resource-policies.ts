export interface PutResourcePolicyInput {
  /** Of a table or of a stream. */
  ResourceArn: string
  /** A document in JSON. */
  Policy: string
  /** The revision that is to be replaced, or `NO_POLICY`. */
  ExpectedRevisionId?: string | undefined
  /** Needed for a policy that keeps its author from changing it again. */
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

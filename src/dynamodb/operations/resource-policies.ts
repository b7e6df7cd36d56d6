export interface PutResourcePolicyRequest {
  /** Of a table or of a stream. */
  ResourceArn: string
  /** A document in JSON. */
  Policy: string
  /** The revision that is to be replaced, or `NO_POLICY`. */
  ExpectedRevisionId?: string | undefined
  /** Needed for a policy that keeps its author from changing it again. */
  ConfirmRemoveSelfResourceAccess?: boolean | undefined
}

export interface PutResourcePolicyAnswer {
  RevisionId?: string | undefined
}

export interface GetResourcePolicyRequest {
  ResourceArn: string
}

export interface GetResourcePolicyAnswer {
  Policy?: string | undefined
  RevisionId?: string | undefined
}

export interface DeleteResourcePolicyRequest {
  ResourceArn: string
  ExpectedRevisionId?: string | undefined
}

export interface DeleteResourcePolicyAnswer {
  RevisionId?: string | undefined
}

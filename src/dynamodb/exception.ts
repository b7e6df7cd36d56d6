import type { Item } from './attribute-value.js'

/** Why an action of a transaction failed; the code is `None` for an action that did not. */
export interface CancellationReason {
  Code?: string | undefined
  Message?: string | undefined
  Item?: Item | undefined
}

/**
 * The reason of a throttled request, such as `TableWriteProvisionedThroughputExceeded`, and the ARN of the exceeded
 * resource.
 */
export interface ThrottlingReason {
  reason?: string | undefined
  resource?: string | undefined
}

/** An exception of the service, as the AWS SDK throws it; `name` identifies the exception. */
export interface ServiceException extends Error {
  readonly $fault: 'client' | 'server'
  readonly $metadata: { readonly httpStatusCode?: number | undefined }
  /** The item before the write, if the request asked for it on a failed condition. */
  readonly Item?: Item | undefined
  /** On a TransactionCanceledException: one reason for each action, in order. */
  readonly CancellationReasons?: CancellationReason[] | undefined
  /** On a ProvisionedThroughputExceededException. */
  readonly ThrottlingReasons?: ThrottlingReason[] | undefined
  /** On a ThrottlingException. */
  readonly throttlingReasons?: ThrottlingReason[] | undefined
}

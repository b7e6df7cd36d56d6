import type { Item } from './attribute-value.js'

/** Why one action of a transaction kept it from being carried out; `None` where it did not. */
export interface CancellationReason {
  Code?: string | undefined
  Message?: string | undefined
  Item?: Item | undefined
}

/** What a request was throttled for, such as `TableWriteProvisionedThroughputExceeded`, and the ARN of what was short of it. */
export interface ThrottlingReason {
  reason?: string | undefined
  resource?: string | undefined
}

/** An exception of the service, as the AWS SDK throws it too: `name` tells which. */
export interface ServiceException extends Error {
  readonly $fault: 'client' | 'server'
  readonly $metadata: { readonly httpStatusCode?: number | undefined }
  /** The item as it was, where a request asked for it on a failed condition. */
  readonly Item?: Item | undefined
  /** Of a cancelled transaction: one for each action, in order. */
  readonly CancellationReasons?: CancellationReason[] | undefined
  /** Of a ProvisionedThroughputExceededException. */
  readonly ThrottlingReasons?: ThrottlingReason[] | undefined
  /** Of a ThrottlingException. */
  readonly throttlingReasons?: ThrottlingReason[] | undefined
}

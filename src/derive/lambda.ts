import { assertArgument, parseWorkOptions } from '../graph/arguments.js'
import { isObject } from '../schema/checks/assertions.js'
import { type Consumer, isConsumer } from './port.js'
import { type JsonRecord, recordFromJson } from './record-json.js'

/** What Lambda calls a handler with, for a stream of DynamoDB. */
export interface LambdaEvent {
  readonly Records?: readonly JsonRecord[] | undefined
}

/** The records from the first that failed on come again: the answer of `ReportBatchItemFailures`. */
export interface LambdaBatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[]
}

/** What becomes of failures, beside that they come again. */
export interface LambdaOptions {
  /** Told of every record that failed, and waited for; a warning of the process unless given. */
  readonly onFailure?: ((error: unknown, sequence: string) => void) | undefined
}

/** A handler for Lambda, whose event source must have `ReportBatchItemFailures`: its exports in edgewise/table do. */
export function lambdaHandler(
  consumer: Pick<Consumer, 'handle'>,
  options: LambdaOptions = {},
): (event: LambdaEvent) => Promise<LambdaBatchResponse> {
  assertArgument(isConsumer(consumer), 'lambdaHandler() takes a consumer: lambdaHandler(consumer(graph, store))')
  const { onFailure = warnOfFailure } = parseWorkOptions('lambdaHandler', options, 'onFailure', 'onFailure')
  return async event => {
    const { Records = [] } = Object(event) as LambdaEvent
    // What is not understood must not be taken for handled.
    assertArgument(
      isObject(event) && Array.isArray(Records) && Records.every(isStreamRecord),
      'the event is not of a stream of DynamoDB, whose records each have a member dynamodb: give the function that event source',
    )
    const { failures } = await consumer.handle(Records.map(recordFromJson))
    const failed = failures.map(({ record, error }) => ({ error, sequence: record.dynamodb?.SequenceNumber ?? '' }))
    for (const { error, sequence } of failed) await onFailure(error, sequence)
    return { batchItemFailures: failed.slice(0, 1).map(({ sequence }) => ({ itemIdentifier: sequence })) }
  }
}

const isStreamRecord = (record: unknown): boolean => isObject(record) && isObject(record.dynamodb)

function warnOfFailure(error: unknown, sequence: string): void {
  process.emitWarning(`the record ${sequence} of the stream failed, and comes again: ${error}`, {
    type: 'EdgewiseWarning',
    code: 'EDGEWISE_RECORD',
  })
}

import { assertArgument, parseWorkOptions } from '../graph/arguments.js'
import { isObject } from '../schema/checks/assertions.js'
import { type Consumer, isConsumer } from './port.js'
import { type JsonRecord, recordFromJson } from './record-json.js'

/** The event of a Lambda function with a DynamoDB stream as its event source. */
export interface LambdaEvent {
  readonly Records?: readonly JsonRecord[] | undefined
}

/** The response for `ReportBatchItemFailures`: Lambda retries all records from the first failed one on. */
export interface LambdaBatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[]
}

/** Options of `lambdaHandler()`. */
export interface LambdaOptions {
  /** Called with every failed record, and awaited. Default: emits a process warning. */
  readonly onFailure?: ((error: unknown, sequence: string) => void) | undefined
}

/**
 * Creates a Lambda handler. Its event source must enable `ReportBatchItemFailures`; the exports of edgewise/table do.
 *
 * @param consumer The consumer, from `consumer()`.
 * @returns The handler of the Lambda function.
 * @throws {call.argument} The first argument is not a consumer, or an option is invalid.
 * @example
 * ```ts
 * import { edge, graph, node, string } from 'edgewise'
 * import { consumer, lambdaHandler } from 'edgewise/derive'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const social = graph('social', [user, edge('follows', { follower: user, followed: user })])
 * export const handler = lambdaHandler(consumer(social, memory()))
 * ```
 */
export function lambdaHandler(
  consumer: Pick<Consumer, 'handle'>,
  options: LambdaOptions = {},
): (event: LambdaEvent) => Promise<LambdaBatchResponse> {
  assertArgument(
    isConsumer(consumer),
    'lambdaHandler(): the argument is not a consumer; give one, as in lambdaHandler(consumer(graph, store)).',
  )
  const { onFailure = warnOfFailure } = parseWorkOptions('lambdaHandler', options, 'onFailure', 'onFailure')
  return async event => {
    const { Records = [] } = Object(event) as LambdaEvent
    // Throw on an unknown event: Lambda would take a normal return for success and skip the records.
    assertArgument(
      isObject(event) && Array.isArray(Records) && Records.every(isStreamRecord),
      "event: it is not from a DynamoDB stream; set the table's stream as the event source of the function.",
    )
    const { failures } = await consumer.handle(Records.map(recordFromJson))
    const failed = failures.map(({ record, error }) => ({ error, sequence: record.dynamodb?.SequenceNumber ?? '' }))
    for (const { error, sequence } of failed) await onFailure(error, sequence)
    return { batchItemFailures: failed.slice(0, 1).map(({ sequence }) => ({ itemIdentifier: sequence })) }
  }
}

const isStreamRecord = (record: unknown): boolean => isObject(record) && isObject(record.dynamodb)

function warnOfFailure(error: unknown, sequence: string): void {
  process.emitWarning(`the record ${sequence} of the stream failed and will be retried: ${error}`, {
    type: 'EdgewiseWarning',
    code: 'EDGEWISE_RECORD',
  })
}

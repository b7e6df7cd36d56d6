import { MODEL } from '../dynamodb/model/operations.js'
import type { ModelShape } from '../dynamodb/model/shapes.js'
import type { DescribeEndpointsOutput } from '../dynamodb/operation-types.js'
import type { Store } from '../store/port.js'
import { type ByteDecoder, byteDecoderOf } from './json/decode-bytes.js'
import { OPERATION_BY_TARGET } from './operation-targets.js'
import { withThroughputMode } from './throughput-mode.js'

/** The options that every store call receives next to the request. */
export interface CallContext {
  readonly region: string
}

type OperationCall = (request: unknown, context: CallContext) => Promise<unknown>

/** The route of one operation. */
export interface OperationRoute {
  readonly operation: string
  readonly call: OperationCall
  /** Absent if no request of the operation contains bytes. */
  readonly decode: ByteDecoder | undefined
  /** Whether the response has a body. */
  readonly hasBody: boolean
}

/** The operations whose responses have no body. */
const BODILESS_OPERATIONS: ReadonlySet<string> = new Set(['TagResource', 'UntagResource'])

/**
 * The operations of a store, by target. A method counts only under the name of an operation, so that clients cannot
 * call other methods of the object.
 */
export function operationRoutesOf(store: Store): ReadonlyMap<string, OperationRoute> {
  const routes = new Map<string, OperationRoute>()
  for (const [target, operation] of OPERATION_BY_TARGET) {
    const method = operation.charAt(0).toLowerCase() + operation.slice(1)
    const call = (store as unknown as Record<string, unknown>)[method]
    if (typeof call !== 'function') continue
    const hasBody = !BODILESS_OPERATIONS.has(operation)
    const boundCall = withThroughputMode(operation, call.bind(store) as OperationCall)
    routes.set(target, { operation, call: boundCall, decode: requestDecoderOf(operation), hasBody })
  }
  return routes
}

/** The response to DescribeEndpoints: the address that was called, which leads here again. */
export function withRequestHost(route: OperationRoute, host: string | undefined): OperationRoute {
  const call: OperationCall = async (request, context) => {
    const answer = (await route.call(request, context)) as DescribeEndpointsOutput
    const Endpoints = answer.Endpoints?.map(endpoint => ({ ...endpoint, Address: host ?? endpoint.Address }))
    return { ...answer, Endpoints }
  }
  return { ...route, call }
}

function requestDecoderOf(operation: string): ByteDecoder | undefined {
  const shape = (MODEL as Partial<Record<string, ModelShape>>)[operation]
  return shape && byteDecoderOf(shape)
}

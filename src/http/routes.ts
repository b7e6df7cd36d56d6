import { MODEL } from '../dynamodb/model/operations.js'
import type { Shape } from '../dynamodb/model/shapes.js'
import type { DescribeEndpointsAnswer } from '../dynamodb/operations/account.js'
import type { Store } from '../store/port.js'
import { type Decode, decoderOf } from './decode.js'
import { TARGETS } from './operations.js'
import { withThroughputMode } from './throughput-mode.js'

/** What every call of a store is told beside the request. */
export interface Told {
  readonly region: string
}

type Call = (request: unknown, told: Told) => Promise<unknown>

/** How one operation is answered. */
export interface Route {
  readonly operation: string
  readonly call: Call
  /** Absent where no request of the operation holds bytes. */
  readonly decode: Decode | undefined
  /** Whether the answer has a body. */
  readonly tells: boolean
}

/** What the service answers with no body at all. */
const SILENT: ReadonlySet<string> = new Set(['TagResource', 'UntagResource'])

/**
 * The operations that a store has, by target. A method counts only under the name of an operation, so that nothing else
 * that an object has can be called from outside.
 */
export function routesOf(store: Store): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const [target, operation] of TARGETS) {
    const method = operation.charAt(0).toLowerCase() + operation.slice(1)
    const call = (store as unknown as Record<string, unknown>)[method]
    if (typeof call !== 'function') continue
    const tells = !SILENT.has(operation)
    const bound = withThroughputMode(operation, call.bind(store) as Call)
    routes.set(target, { operation, call: bound, decode: decoder(operation), tells })
  }
  return routes
}

/** How the addresses of the service are told: as the one that was asked, which leads here again. */
export function askedAt(route: Route, host: string | undefined): Route {
  const call: Call = async (request, told) => {
    const answer = (await route.call(request, told)) as DescribeEndpointsAnswer
    const Endpoints = answer.Endpoints?.map(endpoint => ({ ...endpoint, Address: host ?? endpoint.Address }))
    return { ...answer, Endpoints }
  }
  return { ...route, call }
}

function decoder(operation: string): Decode | undefined {
  const shape = (MODEL as Partial<Record<string, Shape>>)[operation]
  return shape && decoderOf(shape)
}

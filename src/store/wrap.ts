import { OPERATIONS } from './operations.js'
import type { Answer, CallOptions, Operation, Request, Store, Streams } from './port.js'

/** Passes a call on. */
export type Send<Name extends Operation> = (request: Request<Name>, options?: CallOptions) => Promise<Answer<Name>>

/** What is done about one call; `send` passes it on to the wrapped store, any number of times. */
export type Around = <Name extends Operation>(
  operation: Name,
  request: Request<Name>,
  options: CallOptions | undefined,
  send: Send<Name>,
) => Promise<Answer<Name>>

type Sends = { [Name in Operation]: Send<Name> }

/** A wrapped store. It reads streams where the given store does. */
export type Wrapped<Given extends Store> = Store & Pick<Given, Extract<keyof Given, keyof Streams>>

/**
 * A store whose every call goes through `around` on its way to the given one. Reads of streams go to the given store
 * directly: they are operations of another service.
 */
export function wrap<Given extends Store>(store: Given, around: Around): Wrapped<Given> {
  const names = Object.keys(OPERATIONS) as Operation[]
  const wrapped = names.map(<Name extends Operation>(operation: Name) => {
    // Called as a method, since the methods of an SDK client need their `this`.
    const send: Send<Name> = (request, options) => (store as Sends)[operation](request, options)
    const sent: Send<Name> = (request, options) => around(operation, request, options, send)
    return [operation, sent]
  })
  return { ...Object.fromEntries(wrapped), ...streamReadsOf(store) } as unknown as Wrapped<Given>
}

const STREAM_READS = ['listStreams', 'describeStream', 'getShardIterator', 'getRecords'] as const

type StreamRead = (request: never, options?: CallOptions) => Promise<unknown>

/** The methods of a store that read streams; none where it has none. */
export function streamReadsOf(store: object): Partial<Streams> {
  const given = store as Partial<Record<keyof Streams, StreamRead>>
  const names = STREAM_READS.filter(name => typeof given[name] === 'function')
  const read =
    (name: keyof Streams): StreamRead =>
    (request, options) =>
      given[name]!(request, options)
  return Object.fromEntries(names.map(name => [name, read(name)])) as Partial<Streams>
}

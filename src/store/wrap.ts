import { OPERATION_TRAITS } from './operation-traits.js'
import type { CallOptions, Operation, OperationInput, OperationOutput, Store, Streams } from './port.js'

/** Passes a call on. */
export type OperationSender<Name extends Operation> = (
  request: OperationInput<Name>,
  options?: CallOptions,
) => Promise<OperationOutput<Name>>

/** What is done about one call; `send` passes it on to the wrapped store, any number of times. */
export type CallInterceptor = <Name extends Operation>(
  operation: Name,
  request: OperationInput<Name>,
  options: CallOptions | undefined,
  send: OperationSender<Name>,
) => Promise<OperationOutput<Name>>

type OperationSenders = { [Name in Operation]: OperationSender<Name> }

/** A wrapped store. It reads streams where the given store does. */
export type WrappedStore<Given extends Store> = Store & Pick<Given, Extract<keyof Given, keyof Streams>>

/**
 * A store whose every call goes through `around` on its way to the given one. Reads of streams go to the given store
 * directly: they are operations of another service.
 */
export function wrap<Given extends Store>(store: Given, intercept: CallInterceptor): WrappedStore<Given> {
  const names = Object.keys(OPERATION_TRAITS) as Operation[]
  const methods = names.map(<Name extends Operation>(operation: Name) => {
    // Called as a method, since the methods of an SDK client need their `this`.
    const send: OperationSender<Name> = (request, options) => (store as OperationSenders)[operation](request, options)
    const intercepted: OperationSender<Name> = (request, options) => intercept(operation, request, options, send)
    return [operation, intercepted]
  })
  return { ...Object.fromEntries(methods), ...streamMethodsOf(store) } as unknown as WrappedStore<Given>
}

const STREAM_OPERATIONS = ['listStreams', 'describeStream', 'getShardIterator', 'getRecords'] as const

type StreamMethod = (request: never, options?: CallOptions) => Promise<unknown>

/** The methods of a store that read streams; none where it has none. */
export function streamMethodsOf(store: object): Partial<Streams> {
  const methods = store as Partial<Record<keyof Streams, StreamMethod>>
  const names = STREAM_OPERATIONS.filter(name => typeof methods[name] === 'function')
  const forward =
    (name: keyof Streams): StreamMethod =>
    (request, options) =>
      methods[name]!(request, options)
  return Object.fromEntries(names.map(name => [name, forward(name)])) as Partial<Streams>
}

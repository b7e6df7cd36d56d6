import { OPERATION_TRAITS } from './operation-traits.js'
import type { CallOptions, Operation, OperationInput, OperationOutput, Store, Streams } from './port.js'

/** Sends a call to the wrapped store. */
export type OperationSender<Name extends Operation> = (
  request: OperationInput<Name>,
  options?: CallOptions,
) => Promise<OperationOutput<Name>>

/** Handles one call; `send` passes it to the wrapped store, any number of times. */
export type CallInterceptor = <Name extends Operation>(
  operation: Name,
  request: OperationInput<Name>,
  options: CallOptions | undefined,
  send: OperationSender<Name>,
) => Promise<OperationOutput<Name>>

type OperationSenders = { [Name in Operation]: OperationSender<Name> }

/** A wrapped store. It reads streams if the wrapped store does. */
export type WrappedStore<Input extends Store> = Store & Pick<Input, Extract<keyof Input, keyof Streams>>

/**
 * Wraps a store so that every call goes through an interceptor. Stream reads go to the wrapped store directly, because
 * they are operations of another service.
 *
 * @param store - The store to wrap.
 * @param intercept - Handles each call and sends it with `send`.
 * @returns A store with the same operations.
 * @example
 * ```ts
 * import { wrap } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const store = wrap(memory(), async (operation, request, options, send) => {
 *   console.log(operation)
 *   return send(request, options)
 * })
 * ```
 */
export function wrap<Input extends Store>(store: Input, intercept: CallInterceptor): WrappedStore<Input> {
  const names = Object.keys(OPERATION_TRAITS) as Operation[]
  const methods = names.map(<Name extends Operation>(operation: Name) => {
    // Calls the operation as a method, because the methods of an SDK client need their `this`.
    const send: OperationSender<Name> = (request, options) => (store as OperationSenders)[operation](request, options)
    const intercepted: OperationSender<Name> = (request, options) => intercept(operation, request, options, send)
    return [operation, intercepted]
  })
  return { ...Object.fromEntries(methods), ...streamMethodsOf(store) } as unknown as WrappedStore<Input>
}

const STREAM_OPERATIONS = ['listStreams', 'describeStream', 'getShardIterator', 'getRecords'] as const

type StreamMethod = (request: never, options?: CallOptions) => Promise<unknown>

/** The stream methods of a store; empty if it has none. */
export function streamMethodsOf(store: object): Partial<Streams> {
  const methods = store as Partial<Record<keyof Streams, StreamMethod>>
  const names = STREAM_OPERATIONS.filter(name => typeof methods[name] === 'function')
  const forward =
    (name: keyof Streams): StreamMethod =>
    (request, options) =>
      methods[name]!(request, options)
  return Object.fromEntries(names.map(name => [name, forward(name)])) as Partial<Streams>
}

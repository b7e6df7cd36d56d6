import { OPERATIONS } from './operations.js'
import type { Answer, CallOptions, Operation, Request, Store } from './port.js'

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

/** A store whose every call goes through `around` on its way to the given one. */
export function wrap(store: Store, around: Around): Store {
  const names = Object.keys(OPERATIONS) as Operation[]
  return Object.fromEntries(names.map(name => [name, wrapped(store, name, around)])) as unknown as Store
}

function wrapped<Name extends Operation>(store: Sends, operation: Name, around: Around): Send<Name> {
  // Called as a method, since the methods of an SDK client need their `this`.
  const send: Send<Name> = (request, options) => store[operation](request, options)
  return (request, options) => around(operation, request, options, send)
}

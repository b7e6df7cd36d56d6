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
  const wrapped = names.map(<Name extends Operation>(operation: Name) => {
    // Called as a method, since the methods of an SDK client need their `this`.
    const send: Send<Name> = (request, options) => (store as Sends)[operation](request, options)
    const sent: Send<Name> = (request, options) => around(operation, request, options, send)
    return [operation, sent]
  })
  return Object.fromEntries(wrapped) as unknown as Store
}

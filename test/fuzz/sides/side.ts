import { memory } from '../../../src/engine/index.js'
import type { ServiceOperation } from '../../../src/store/port.js'
import { wireStore } from './wire.js'

/** One of the two compared implementations. */
export interface Side {
  readonly name: string
  /** Sends a request unchanged. */
  send(operation: ServiceOperation, request: unknown): Promise<unknown>
}

export type WitnessName = 'dynamodb-local' | 'dynoxide'

export interface Witness extends Side {
  readonly name: WitnessName
}

export function ours(): Side {
  const store = memory() as unknown as Record<string, (request: unknown) => Promise<unknown>>
  return { name: 'edgewise', send: (operation, request) => store[operation]!(request) }
}

export function witness(name: WitnessName, url: string): Witness {
  const store = wireStore(url)
  return { name, send: (operation, request) => store(operation, request) }
}

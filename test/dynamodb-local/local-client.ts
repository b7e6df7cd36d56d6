import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Store } from '../../src/store/port.js'
import { witnessClient } from '../witnesses/client.js'

/** A client with separate tables: DynamoDB Local separates data by access key. */
export function localClient(): DynamoDB {
  return witnessClient('DYNAMODB_LOCAL', 'test:dynamodb-local')
}

const EMBEDDED = Symbol.for('edgewise.embedded')

/** Options with which a graph creates its table automatically, as in memory. */
export function embedded<S extends Store>(store: S): S {
  return Object.assign(store, { [EMBEDDED]: true })
}

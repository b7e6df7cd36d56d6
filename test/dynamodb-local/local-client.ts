import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Store } from '../../src/store/port.js'
import { witnessClient } from '../witnesses/client.js'

/** A client with tables of its own: DynamoDB Local keeps apart what comes under different access keys. */
export function localClient(): DynamoDB {
  return witnessClient('DYNAMODB_LOCAL', 'test:dynamodb-local')
}

const EMBEDDED = Symbol.for('edgewise.embedded')

/** In which a graph makes its table without being asked, as in memory. */
export function embedded<S extends Store>(store: S): S {
  return Object.assign(store, { [EMBEDDED]: true })
}

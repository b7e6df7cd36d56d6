import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { declareEmbedded } from '../../src/store/embedded.js'
import type { Store } from '../../src/store/port.js'
import { witnessClient } from '../witnesses/client.js'

/** A client with separate tables: DynamoDB Local separates data by access key. */
export function localClient(): DynamoDB {
  return witnessClient('DYNAMODB_LOCAL', 'test:dynamodb-local')
}

/** Options with which a graph creates its table automatically, as in memory. */
export function embedded<S extends Store>(store: S): S {
  return declareEmbedded(store, {})
}

import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Store } from '../../src/store/port.js'

const endpoint = process.env.DYNAMODB_LOCAL
if (!endpoint) throw new Error('DYNAMODB_LOCAL has no address: run this by `npm run test:dynamodb-local`')

const address: string = endpoint

/** A client with tables of its own: DynamoDB Local keeps apart what comes under different access keys. */
export function localClient(): DynamoDB {
  const accessKeyId = crypto.randomUUID().replaceAll('-', '')
  const credentials = { accessKeyId, secretAccessKey: 'any' }
  return new DynamoDB({ endpoint: address, region: 'us-east-1', credentials, maxAttempts: 1 })
}

const EMBEDDED = Symbol.for('edgewise.embedded')

/** In which a graph makes its table without being asked, as in memory. */
export function embedded<S extends Store>(store: S): S {
  return Object.assign(store, { [EMBEDDED]: true })
}

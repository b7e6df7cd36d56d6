import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { type ContractCase, caseName, contract, contractFor } from '../../src/store/contract/index.js'
import { rawStore } from './raw-store.js'

const serving = await serve(memory(), { port: 0 })
const client = new DynamoDB({
  endpoint: serving.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
})

/** Why the client cannot send the request of a case as it is. All of them are sent by hand below. */
function unsendable({ operation, name }: ContractCase): string | undefined {
  if (!(operation in client)) return 'the client has no such operation'
  if (name.endsWith(' type is refused')) return 'the client makes another value of it, or none'
  return name === 'an attribute may be named __proto__' ? 'the client loses the attribute' : undefined
}

const reasons = contract.map(given => [caseName(given), unsendable(given)] as const)
const skip = Object.fromEntries(reasons.filter((entry): entry is [string, string] => entry[1] !== undefined))
const bySdk = contractFor(client, { skip })
const byHand = contractFor(rawStore(serving.url))

afterAll(async () => {
  await bySdk.bench.close()
  await byHand.bench.close()
  client.destroy()
  await serving.close()
})

describe("the engine behind HTTP keeps the contract through the AWS SDK's client", () => {
  for (const given of bySdk.cases)
    it(caseName(given), context => (given.skip ? context.skip(given.skip) : given.run(bySdk.bench)))
})

describe('the engine behind HTTP keeps the contract for requests written by hand', () => {
  for (const given of byHand.cases) it(caseName(given), () => given.run(byHand.bench))
})

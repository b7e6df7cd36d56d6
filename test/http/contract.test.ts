import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, describe, it } from 'vitest'
import { type ContractCase, caseName, contract, contractFor } from '../../src/contract/index.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { rawStore } from './raw-store.js'

const exports = mkdtempSync(join(tmpdir(), 'edgewise-'))
const bucket = 'contract'
const serving = await serve(memory({ exports }), { port: 0 })
const settings = {
  endpoint: serving.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
}
const client = new DynamoDB(settings)
const streams = new DynamoDBStreams(settings)
/** AWS provides streams as a separate service with a separate client. */
const both = new Proxy(client, {
  get: (_, name) => {
    const owner = (name in client ? client : streams) as unknown as Record<string | symbol, unknown>
    const member = owner[name]
    return typeof member === 'function' ? member.bind(owner) : member
  },
})

/** The reason for which a client cannot send the request of a case. The test below sends all of these by hand. */
function unsendable({ operation, name }: ContractCase): string | undefined {
  if (!(operation in client || operation in streams)) return 'the clients have no such operation'
  if (name.endsWith(' type is rejected') || name.includes('a text that spells a boolean'))
    return 'the client makes another value of it, or none'
  return name === 'an attribute may be named __proto__' ? 'the client loses the attribute' : undefined
}

const reasons = contract.map(given => [caseName(given), unsendable(given)] as const)
const skip = Object.fromEntries(reasons.filter((entry): entry is [string, string] => entry[1] !== undefined))
const bySdk = contractFor(both, { skip, bucket })
const byHand = contractFor(rawStore(serving.url), { bucket })

afterAll(async () => {
  await bySdk.bench.close()
  await byHand.bench.close()
  client.destroy()
  streams.destroy()
  await serving.close()
  rmSync(exports, { recursive: true, force: true })
})

describe("the engine behind HTTP keeps the contract through the AWS SDK's clients", () => {
  for (const given of bySdk.cases)
    it(caseName(given), context => (given.skip ? context.skip(given.skip) : given.run(bySdk.bench)))
})

describe('the engine behind HTTP keeps the contract for requests written by hand', () => {
  for (const given of byHand.cases) it(caseName(given), () => given.run(byHand.bench))
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, describe, it } from 'vitest'
import { type ContractCase, caseName, contractFor } from '../../src/contract/index.js'
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

/**
 * Whether the AWS SDK's clients send the request of a case unchanged. They lack some operations, convert or omit values
 * of a wrong type, and lose an attribute named `__proto__`. Requests written by hand cover every case.
 */
const isSentUnchanged = ({ operation, name }: ContractCase): boolean =>
  (operation in client || operation in streams) &&
  !name.endsWith(' type is rejected') &&
  !name.includes('a text that spells a boolean') &&
  name !== 'an attribute may be named __proto__'

const bySdk = contractFor(both, { bucket })
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
  for (const given of bySdk.cases.filter(isSentUnchanged)) it(caseName(given), () => given.run(bySdk.bench))
})

describe('the engine behind HTTP keeps the contract for requests written by hand', () => {
  for (const given of byHand.cases) it(caseName(given), () => given.run(byHand.bench))
})

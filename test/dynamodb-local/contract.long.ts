import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, describe, it, vi } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { caseName, contract, contractFor } from '../../src/store/contract/index.js'

vi.mock('../../src/store/contract/expect.js', async importOriginal => {
  const original = await importOriginal<typeof import('../../src/store/contract/expect.js')>()
  const refused = (call: Promise<unknown>, name: string) => original.refused(call, name)
  const invalid = (call: Promise<unknown>) => original.refused(call, 'ValidationException')
  return { ...original, refused, invalid, invalidRequest: invalid }
})

const store = dynamodb({
  endpoint: 'http://127.0.0.1:18231',
  region: 'us-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
})

const { bench, cases } = contractFor(store)
afterAll(async () => {
  await bench.close()
  store.destroy()
})

describe('DynamoDB Local keeps the contract', () => {
  for (const given of cases)
    it(caseName(given), context => (given.skip ? context.skip(given.skip) : given.run(bench)))
})

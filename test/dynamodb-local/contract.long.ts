import { afterAll, describe, expect, it, vi } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { caseName, contractFor } from '../../src/store/contract/index.js'
import { loosened } from './any-wording.js'
import { knownFailure, SKIPPED } from './known-faults.js'
import { localClient } from './local.js'

// A refusal is compared by its name: most of the wording of DynamoDB Local is older than that of the service.
vi.mock('../../src/store/contract/expect.js', async importOriginal => {
  const exact = await importOriginal<typeof import('../../src/store/contract/expect.js')>()
  const invalid = (call: Promise<unknown>) => exact.refused(call, 'ValidationException')
  return {
    refused: (call: Promise<unknown>, name: string) => exact.refused(call, name),
    invalid,
    invalidRequest: invalid,
    same: (actual: unknown, expected: unknown) => exact.same(loosened(actual), loosened(expected)),
  }
})

/** So that what skips a case by its outcome cannot hide that nothing works. */
const LEAST_KEPT = 1_000

const client = localClient()
const { bench, cases } = contractFor(dynamodb({ client }), { skip: SKIPPED })
let kept = 0

afterAll(async () => {
  await bench.close()
  client.destroy()
})

describe("DynamoDB Local keeps the contract through the AWS SDK's client, but for its faults", () => {
  for (const given of cases)
    it(caseName(given), async context => {
      if (given.skip) context.skip(given.skip)
      try {
        await given.run(bench)
      } catch (error) {
        const reason = knownFailure(given, error as Error)
        if (reason) context.skip(reason)
        throw error
      }
      kept++
    })

  it('most of it', () => {
    expect(kept).toBeGreaterThan(LEAST_KEPT)
  })
})

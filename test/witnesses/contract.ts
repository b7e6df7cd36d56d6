import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { type ContractCase, caseName, contractFor } from '../../src/contract/index.js'

export interface KnownFaults {
  /** Cases that are not run, each with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why a case failed, where that is known and cannot be told by the case's name. */
  knownFailure(given: ContractCase, error: Error): string | undefined
}

/** So that what skips a case by its outcome cannot hide that nothing works. */
const LEAST_KEPT = 1_000

/** The contract on a witness through the AWS SDK's client. */
export function keepsContract(name: string, client: DynamoDB, { skipped, knownFailure }: KnownFaults): void {
  const { bench, cases } = contractFor(dynamodb({ client }), { skip: skipped })
  let kept = 0
  afterAll(async () => {
    await bench.close()
    client.destroy()
  })
  describe(`${name} keeps the contract through the AWS SDK's client, but for its faults`, () => {
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
}

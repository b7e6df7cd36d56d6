import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { type ContractCase, caseName, contractFor } from '../../src/contract/index.js'

export interface KnownFaults {
  /** Cases that do not run, each with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Returns the reason of a known failure that does not depend on the name of the case. */
  knownFailure(given: ContractCase, error: Error): string | undefined
}

/** Cases may be skipped by their outcome, so this test ensures that most of them still pass. */
const LEAST_KEPT = 1_000

/** Runs the contract on another implementation through the AWS SDK's client. */
export function keepsContract(name: string, client: DynamoDB, { skipped, knownFailure }: KnownFaults): void {
  const { bench, cases } = contractFor(dynamodb({ client }), { skip: skipped })
  let kept = 0
  afterAll(async () => {
    await bench.close()
    client.destroy()
  })
  describe(`${name} through the AWS SDK's client`, () => {
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

    it('most of the contract passes', () => {
      expect(kept).toBeGreaterThan(LEAST_KEPT)
    })
  })
}

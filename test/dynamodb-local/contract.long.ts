import { vi } from 'vitest'
import { keepsContract } from '../witnesses/contract.js'
import { knownFailure, SKIPPED } from './known-faults.js'
import { localClient } from './local-client.js'

vi.mock('../../src/contract/assertions.js', async importOriginal => {
  const { looseExpectations } = await import('../witnesses/loose-expectations.js')
  return looseExpectations(await importOriginal())
})

keepsContract('DynamoDB Local', localClient(), { skipped: SKIPPED, knownFailure })

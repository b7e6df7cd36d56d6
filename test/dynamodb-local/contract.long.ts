import { vi } from 'vitest'
import { keepsContract } from '../witnesses/contract.js'
import { knownFailure, SKIPPED } from './known-faults.js'
import { localClient } from './local.js'

vi.mock('../../src/store/contract/expect.js', async importOriginal => {
  const { looseExpectations } = await import('../witnesses/any-wording.js')
  return looseExpectations(await importOriginal())
})

keepsContract('DynamoDB Local', localClient(), { skipped: SKIPPED, knownFailure })

import { vi } from 'vitest'
import { witnessClient } from '../witnesses/client.js'
import { keepsContract } from '../witnesses/contract.js'
import { knownFailure, SKIPPED } from './known-faults.js'

vi.mock('../../src/store/contract/expect.js', async importOriginal => {
  const { looseExpectations } = await import('../witnesses/any-wording.js')
  return looseExpectations(await importOriginal())
})

keepsContract('dynoxide', witnessClient('DYNOXIDE', 'test:dynoxide'), { skipped: SKIPPED, knownFailure })

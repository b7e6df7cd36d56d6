import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../src/contract/index.js'
import { memory } from '../../src/engine/index.js'

const { bench, cases } = contractFor(memory())

afterAll(() => bench.close())

describe('contract of the in-memory engine', () => {
  for (const contractCase of cases) it(caseName(contractCase), () => contractCase.run(bench))
})

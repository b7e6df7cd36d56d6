import { afterAll, describe, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { caseName, contractFor } from '../../src/store/contract/index.js'

const { bench, cases } = contractFor(memory())

afterAll(() => bench.close())

describe('the engine in memory keeps the contract', () => {
  for (const given of cases) it(caseName(given), () => given.run(bench))
})

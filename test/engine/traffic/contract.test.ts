import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../../src/contract/index.js'
import { memory } from '../../../src/engine/index.js'

const PLENTY = 10 ** 12

/** Every feature is enabled without effect: no lag, no missing capacity, no duration. */
const store = memory({
  indexLag: 0,
  streams: { lag: 0 },
  conflicts: 0,
  heat: true,
  throttle: {
    burstSeconds: PLENTY,
    partitionReadUnits: PLENTY,
    partitionWriteUnits: PLENTY,
    onDemandReadUnits: PLENTY,
    onDemandWriteUnits: PLENTY,
  },
})
const { bench, cases } = contractFor(store)

afterAll(() => bench.close())

describe('contract of an engine with all simulations enabled', () => {
  for (const contractCase of cases) it(caseName(contractCase), () => contractCase.run(bench))
})

import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../../src/contract/index.js'
import { memory } from '../../../src/engine/index.js'

const PLENTY = 10 ** 12

/** Every hook is in place, and none has anything to say: nothing lags, nothing is short, nothing lasts. */
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

describe('an engine that could be hard to live with keeps the contract', () => {
  for (const given of cases) it(caseName(given), () => given.run(bench))
})

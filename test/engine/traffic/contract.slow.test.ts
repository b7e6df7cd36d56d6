import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../../src/contract/index.js'
import { memory } from '../../../src/engine/index.js'

const PLENTY = 10 ** 12

const exports = mkdtempSync(join(tmpdir(), 'edgewise-'))
/** Every feature is enabled without effect: no lag, no missing capacity, no duration. */
const store = memory({
  exports,
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
const { bench, cases } = contractFor(store, { bucket: 'contract' })

afterAll(async () => {
  await bench.close()
  rmSync(exports, { recursive: true, force: true })
})

describe('contract of an engine with all simulations enabled', () => {
  for (const contractCase of cases) it(caseName(contractCase), () => contractCase.run(bench))
})

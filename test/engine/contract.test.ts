import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../src/contract/index.js'
import { memory } from '../../src/engine/index.js'

const exports = mkdtempSync(join(tmpdir(), 'edgewise-'))
const { bench, cases } = contractFor(memory({ exports }), { bucket: 'contract' })

afterAll(async () => {
  await bench.close()
  rmSync(exports, { recursive: true, force: true })
})

describe('contract of the in-memory engine', () => {
  for (const contractCase of cases) it(caseName(contractCase), () => contractCase.run(bench))
})

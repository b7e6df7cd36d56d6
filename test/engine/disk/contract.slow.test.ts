import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { caseName, contractFor } from '../../../src/contract/index.js'
import { disk } from '../../../src/engine/index.js'

const path = mkdtempSync(join(tmpdir(), 'edgewise-'))
const store = disk(join(path, 'data'), { sync: false, exports: join(path, 'exports') })
const { bench, cases } = contractFor(store, { bucket: 'contract' })

afterAll(async () => {
  await bench.close()
  await store.close()
  rmSync(path, { recursive: true, force: true })
})

describe('contract of the engine on disk', () => {
  for (const contractCase of cases) it(caseName(contractCase), () => contractCase.run(bench))
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rename } from '../../examples/students/rename.js'
import { disk, memory } from '../../src/embedded.js'
import { RENAMED } from './rename-result.js'

it('renames a student and every class shows it, in memory', async () => {
  expect(await rename(memory())).toMatchObject(RENAMED)
})

it('renames a student and every class shows it, on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'))
  const store = disk(folder)
  try {
    expect(await rename(store)).toMatchObject(RENAMED)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

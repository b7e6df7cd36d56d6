import { describe, expect, it, vi } from 'vitest'
import { disk, memory } from '../../../src/engine/index.js'
import { temporaryFolder } from './temporary-folder.js'

const thrown = vi.hoisted(() => ({ error: new Error() as NodeJS.ErrnoException }))
vi.mock('node:module', () => ({
  default: {
    createRequire: () => () => {
      throw thrown.error
    },
  },
}))

describe('a missing lmdb package', () => {
  it('memory() works without lmdb, and disk() reports what to install', async () => {
    thrown.error = Object.assign(new Error("Cannot find module 'lmdb'"), { code: 'MODULE_NOT_FOUND' })
    expect((await memory().listTables({})).TableNames).toEqual([])
    expect(() => disk(temporaryFolder())).toThrow(
      /^disk\(\): the package 'lmdb' cannot be found from .*own-file\.ts or .*package\.json; run 'npm install lmdb'\. If the program is bundled, keep 'edgewise' and 'lmdb' out of the bundle and install them where it runs\.$/,
    )
  })

  it('disk() reports the error of an installed lmdb that cannot be loaded', () => {
    thrown.error = new Error('No native build was found')
    expect(() => disk(temporaryFolder())).toThrow(
      "disk(): the package 'lmdb' cannot be loaded (No native build was found); reinstall it for this platform.",
    )
  })
})

import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { checkFolderFormat, writeFolderFormat } from '../../../src/engine/keyvalues/lmdb/folder-format.js'
import { temporaryFolder } from './temporary-folder.js'

vi.mock('node:fs', async original => {
  const fs = await original<typeof import('node:fs')>()
  const writeFileSync = (file: string) => {
    fs.writeFileSync(file, '')
    throw new Error('no space left on device')
  }
  return { ...fs, writeFileSync }
})

it('a folder whose format file was only partially written counts as new', () => {
  const path = temporaryFolder()
  expect(() => writeFolderFormat(path)).toThrow('no space left')
  expect(readdirSync(path)).toHaveLength(1)
  expect(checkFolderFormat(path)).toBe(true)
})

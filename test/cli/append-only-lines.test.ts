import { readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppendOnlyLines } from '../../src/cli/files/append-only-lines.js'
import { folderWith } from './cinema-folder.js'

const row = (line: number) => ({ source: 'rows', line, code: 'load.row', message: 'no', text: 'é' })
const text = (...lines: number[]) => lines.map(line => `${JSON.stringify(row(line))}\n`).join('')
const BYTES = Buffer.byteLength(text(1))

/** Simulates a system that writes a part of the data, and finally nothing. */
async function partly(mostBytes: number, roomBytes: number) {
  const handle = await open(folderWith({})('any'), 'w')
  await handle.close()
  const files = Object.getPrototypeOf(handle) as FileHandle
  const whole = files.write as (this: FileHandle, ...given: unknown[]) => ReturnType<FileHandle['write']>
  const part = async function (this: FileHandle, bytes: Uint8Array, from: number, length: number, at: number) {
    if (at >= roomBytes) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    return whole.call(this, bytes, from, Math.min(length, mostBytes, roomBytes - at), at)
  }
  return vi.spyOn(files, 'write').mockImplementation(part as never)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a file of JSON lines', () => {
  it('a file of JSON lines is read up to its checkpoint, and rejected if it is shorter', async () => {
    const path = folderWith({ faults: `${text(1, 2)}{"code"` })('faults')
    const noted = (bytes: number) => new AppendOnlyLines(path, bytes, 'remove the checkpoint').read()
    expect(await noted(0)).toEqual([])
    expect(await noted(BYTES)).toEqual([row(1)])
    expect(await noted(2 * BYTES)).toEqual([row(1), row(2)])
    await expect(noted(3 * BYTES)).rejects.toThrow(
      'faults: the file is shorter than its checkpoint states; remove the checkpoint.',
    )
  })
})

describe('the file of rejected rows', () => {
  it('the file of rejected rows is complete even if the system writes parts', async () => {
    const path = folderWith({})('failed.jsonl')
    const written = await partly(7, Number.POSITIVE_INFINITY)
    const failed = new AppendOnlyLines(path, 0, 'give another file with --failed')
    await failed.append([row(1), row(2)])
    await failed.append([row(3)])
    await failed.close()
    expect(written.mock.calls.length).toBeGreaterThan(3 * Math.floor(BYTES / 7))
    expect(readFileSync(path, 'utf8')).toBe(text(1, 2, 3))
    expect(failed.sizeBytes).toBe(3 * BYTES)
  })

  it('the file of rejected rows does not count unwritten rows on a full disk, and continues with free space', async () => {
    const path = folderWith({})('failed.jsonl')
    const full = await partly(Number.POSITIVE_INFINITY, BYTES + 10)
    const failed = new AppendOnlyLines(path, 0, 'give another file with --failed')
    await failed.append([row(1)])
    await expect(failed.append([row(2)])).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(failed.sizeBytes).toBe(BYTES)
    await failed.close()
    full.mockRestore()
    const later = new AppendOnlyLines(path, failed.sizeBytes, 'give another file with --failed')
    await later.append([row(2)])
    await later.close()
    expect(readFileSync(path, 'utf8')).toBe(text(1, 2))
  })

  it.each([
    ['what came after the checkpoint is written again', text(1, 2, 3), text(1, 7)],
    ['what was taken out of it stays out', '', text(7)],
    ['what was moved elsewhere stays there', undefined, text(7)],
  ])('the file of rejected rows has each row once after a load continues: %s', async (_, before, after) => {
    const path = folderWith({})('failed.jsonl')
    if (before !== undefined) writeFileSync(path, before)
    const failed = new AppendOnlyLines(path, BYTES, 'give another file with --failed')
    await failed.append([row(7)])
    await failed.close()
    expect(readFileSync(path, 'utf8')).toBe(after)
    expect(failed.sizeBytes).toBe(Buffer.byteLength(after))
  })
})

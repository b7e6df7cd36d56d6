import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FailedRows } from '../../src/cli/load/failed-rows.js'
import { folderWith } from './data.js'

const row = (line: number) => ({ source: 'rows', line, code: 'load.row', message: 'no', text: 'é' })
const text = (...lines: number[]) => lines.map(line => `${JSON.stringify(row(line))}\n`).join('')
const BYTES = Buffer.byteLength(text(1))

describe('the file of rows that were refused', () => {
  it.each([
    ['what came after the checkpoint is written again', text(1, 2, 3), text(1, 7)],
    ['what was taken out of it stays out', '', text(7)],
    ['what was moved elsewhere stays there', undefined, text(7)],
  ])('has each once where a load goes on: %s', async (_, before, after) => {
    const path = folderWith({})('failed.jsonl')
    if (before !== undefined) writeFileSync(path, before)
    const failed = new FailedRows(path, BYTES)
    await failed.add([row(7)])
    await failed.close()
    expect(readFileSync(path, 'utf8')).toBe(after)
    expect(failed.sizeBytes).toBe(Buffer.byteLength(after))
  })
})

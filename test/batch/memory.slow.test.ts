import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBatch } from '../../src/batch/index.js'
import { graph, node, string } from '../../src/index.js'

const note = node('note', { id: string(), text: string() }, { id: 'id' })
const COUNT = 120_000
const notes = graph('notes', [note])

it('data that exceeds the memory goes to the temporary folder, which is left empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-memory-'))
  try {
    const lines = Array.from({ length: COUNT }, (_, at) => {
      const text = `${at} `.repeat(100)
      return `${JSON.stringify({ Item: { PK: { S: `note#${at}` }, SK: { S: '#' }, _type: { S: 'note' }, text: { S: text } } })}\n`
    })
    writeFileSync(join(folder, 'items.json'), lines.join(''))
    const temporaryFolder = join(folder, 'temporary')
    const data = await openBatch(notes, {
      from: join(folder, 'items.json'),
      memory: '100MB',
      threads: 1,
      temporaryFolder,
    })
    const rows = await data.rows('SELECT count(*) AS n, count(DISTINCT text) AS texts FROM note')
    expect(rows).toEqual([{ n: COUNT, texts: COUNT }])
    expect(readdirSync(temporaryFolder)).toHaveLength(1)
    data.close()
    expect(existsSync(temporaryFolder) ? readdirSync(temporaryFolder) : []).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a statement that needs more memory than there is says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-memory-'))
  writeFileSync(join(folder, 'items.json'), '{"Item":{"PK":{"S":"a"},"SK":{"S":"b"}}}\n')
  const opened = openBatch(notes, { from: join(folder, 'items.json'), memory: '10MB', threads: 1 })
  await expect(opened).rejects.toThrow("give more 'memory', or fewer 'threads'.")
  rmSync(folder, { recursive: true })
})

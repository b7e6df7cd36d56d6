import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readSourceRows } from '../../jobs/load/read-source.js'
import type { LoadSource, SourceRow } from '../../jobs/load/source.js'
import { itemToJson } from '../../jobs/rows/item-json.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { Layout } from '../../layout/layout.js'
import { TENANT_SLOT, toSlotValues } from '../../layout/slots.js'
import { ITEMS, itemColumns } from './item-table.js'
import { type ItemReader, insertItems, readLines } from './read-export.js'
import { sourceError } from './source-error.js'

const ROWS = /\.(jsonl|ndjson|csv)(\.gz)?$/i
const ITEMS_FILE = /^part-\d+\.json\.gz$|\.json(\.gz)?$/i

/** The files of a dump: of items, or of rows. */
export interface DumpFiles {
  readonly items: readonly string[]
  readonly rows: readonly string[]
}

/** Which of these files a dump wrote. */
export function dumpFiles(paths: readonly string[]): DumpFiles {
  const named = (pattern: RegExp) => paths.filter(path => pattern.test(basename(path)))
  return { items: named(ITEMS_FILE), rows: named(ROWS).filter(path => !/\.failed\.jsonl$/.test(path)) }
}

const PART_FILE = /^part-(\d+)\.json\.gz$/

/** Rejects a dump of items that lacks one of its parts. They are numbered from 1. */
export function assertAllParts(folder: string, names: readonly string[]): void {
  const numbers = names.flatMap(name => PART_FILE.exec(name)?.[1] ?? [])
  const missing = numbers.findIndex((number, at) => Number(number) !== at + 1)
  if (missing < 0) return
  const name = `part-${String(missing + 1).padStart(numbers[0]!.length, '0')}.json.gz`
  throw sourceError(folder, `${name} is missing`, 'copy the whole dump, or dump the table again')
}

/** The database reads a gzip file without its end as if it were whole, so its checksum is compared here. */
async function verifyGzip(path: string): Promise<void> {
  try {
    await pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK_BYTES }), async chunks => {
      for await (const _ of chunks);
    })
  } catch (error) {
    throw gzipError(path, error)
  }
}

const CHUNK_BYTES = 1024 * 1024

/** An error of zlib as one that names the file; any other error as it is. */
function gzipError(path: string, error: unknown): unknown {
  if (!String((error as { code?: unknown }).code).startsWith('Z_')) return error
  const reason = (error as Error).message
  return sourceError(path, `the file is damaged or truncated (${reason})`, 'copy it again, or dump the table again')
}

/** Reads `{"Item": {…}}` lines. */
export async function readItemFiles(reader: ItemReader, files: readonly string[]): Promise<void> {
  for (const path of files) if (/\.gz$/i.test(path)) await verifyGzip(path)
  const documents = `SELECT Item AS item FROM ${readLines(files, ['Item'])}`
  await insertItems(
    reader,
    documents,
    files.map(path => ({ path, itemCount: Number.NaN })),
  )
}

const BLOCK_ROWS = 20_000

/** Reads rows and makes the items that a write would make. Counters and embedded maps are absent. */
export async function readRowFiles(reader: ItemReader, files: readonly string[], nowMs: number): Promise<void> {
  const { database, layout, dialect } = reader
  await database.run('CREATE OR REPLACE TEMP TABLE documents (item VARCHAR)')
  const insert = `INSERT INTO ${ITEMS} ${itemColumns(layout, dialect, 'SELECT CAST(item AS JSON) AS item FROM documents')}`
  let lines: [string][] = []
  const flush = async () => {
    await database.append('documents', lines)
    lines = []
    await database.run(`${insert}; TRUNCATE documents`)
  }
  for (const file of files) {
    for await (const block of readBlocks(layout, file, nowMs)) {
      for (const { line, type, row, tenant, error } of block) {
        if (error) throw sourceError(`${file}:${line}`, error.message, 'correct the row')
        if (!type || !row) continue
        const values = { ...toSlotValues(type, row), ...(tenant !== undefined && { [TENANT_SLOT]: { S: tenant } }) }
        for (const { item } of itemsOfStoredRow(layout, type, values)) lines.push([itemToJson(item)])
      }
      if (lines.length >= BLOCK_ROWS) await flush()
    }
  }
  await flush()
  await database.run('DROP TABLE documents')
}

async function* readBlocks(layout: Layout, file: string, nowMs: number): AsyncGenerator<SourceRow[]> {
  try {
    yield* readSourceRows(layout, rowSource(file), { offset: 0, lines: 0 }, { tenant: undefined, nowMs })
  } catch (error) {
    throw gzipError(file, error)
  }
}

function rowSource(path: string): LoadSource {
  const name = basename(path)
  return {
    name: path,
    format: /\.csv(\.gz)?$/i.test(name) ? 'csv' : 'json',
    type: name.split('.')[0],
    open(start) {
      const bytes = createReadStream(path, /\.gz$/i.test(name) ? {} : { start })
      return /\.gz$/i.test(name) ? bytes.pipe(createGunzip()) : bytes
    },
  }
}

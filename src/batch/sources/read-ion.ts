import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { itemToJson } from '../../dynamodb/export/json-item.js'
import { type ExportedLine, parseLine } from '../../dynamodb/export/lines.js'
import { createLineSplitter, readTextRecords } from '../../jobs/load/records.js'
import type { Database, SqlValue } from '../duckdb.js'
import type { DataFile } from './export-folder.js'
import { sourceError } from './source-error.js'

/** Lines are appended, and their memory is released, after this many. */
const BLOCK_LINES = 10_000

/**
 * Reads files of Ion text, which DuckDB does not know, into a table of DynamoDB JSON. Resolves to a query of the columns
 * `Item`, `Keys` and `NewImage`.
 */
export async function readIonLines(database: Database, files: readonly Pick<DataFile, 'path'>[]): Promise<string> {
  await database.run('CREATE OR REPLACE TEMP TABLE ion_lines (item VARCHAR, keys VARCHAR, image VARCHAR)')
  let rows: SqlValue[][] = []
  const flush = async () => {
    await database.append('ion_lines', rows)
    rows = []
  }
  for (const { path } of files) {
    for await (const row of rowsOf(path)) {
      rows.push(row)
      if (rows.length >= BLOCK_LINES) await flush()
    }
  }
  await flush()
  return '(SELECT CAST(item AS JSON) AS Item, CAST(keys AS JSON) AS Keys, CAST(image AS JSON) AS NewImage FROM ion_lines)'
}

async function* rowsOf(path: string): AsyncGenerator<SqlValue[]> {
  const bytes = createReadStream(path)
  const chunks = /\.gz$/i.test(path) ? bytes.pipe(createGunzip()) : bytes
  bytes.on('error', error => chunks.destroy(error))
  let read = 0
  try {
    for await (const block of readTextRecords(path, chunks, createLineSplitter(), { offset: 0, lines: 0 }))
      for (const { line, text, error } of block) {
        read = line
        if (error) throw error
        if (text.trim() !== '') yield cellsOf(parseLine(text, 'ION'))
      }
  } catch (error) {
    const reason = (error as Error).message
    const where = error instanceof FormatError ? `line ${read}: ` : ''
    throw sourceError(path, `a file cannot be read: ${where}${reason}`, 'export or download it again')
  }
}

function cellsOf(line: ExportedLine): SqlValue[] {
  if ('item' in line) return [itemToJson(line.item), null, null]
  const { keys, newImage } = line.change
  return [null, itemToJson(keys), newImage ? itemToJson(newImage) : null]
}

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FORMAT = 1
const FORMAT_FILE = 'edgewise.json'
export const DATA_FILE = 'data.mdb'

/** What LMDB's file has at this place; given another file it ends the process. */
const LMDB_MARK = 0xbeefc0de
const LMDB_MARK_AT = 24

/** Whether the folder has no data yet. Data that should be there and are not are never taken for none. */
export function checkFormat(path: string): boolean {
  const data = join(path, DATA_FILE)
  const dataBytes = statSync(data, { throwIfNoEntry: false })?.size
  if (dataBytes && !isOfLmdb(data)) throw new Error(`${path} is damaged: ${DATA_FILE} is not a file of LMDB`)
  const file = join(path, FORMAT_FILE)
  if (!existsSync(file)) return true
  const format = readFormat(file)
  if (format > FORMAT)
    throw new Error(`${path} has format ${format} of a newer edgewise, and this one knows ${FORMAT}: update edgewise`)
  if (!dataBytes) throw new Error(`${path} is damaged: ${DATA_FILE} is ${dataBytes === 0 ? 'empty' : 'missing'}`)
  return false
}

export function writeFormat(path: string): void {
  writeFileSync(join(path, FORMAT_FILE), `${JSON.stringify({ format: FORMAT })}\n`, { flush: true })
}

function readFormat(file: string): number {
  try {
    const { format } = JSON.parse(readFileSync(file, 'utf8')) as { format?: unknown }
    if (typeof format === 'number') return format
  } catch {}
  throw new Error(`${file} is damaged: it does not tell the format of the data`)
}

function isOfLmdb(file: string): boolean {
  const mark = new Uint32Array(1)
  const descriptor = openSync(file, 'r')
  try {
    return readSync(descriptor, mark, 0, mark.byteLength, LMDB_MARK_AT) === mark.byteLength && mark[0] === LMDB_MARK
  } finally {
    closeSync(descriptor)
  }
}

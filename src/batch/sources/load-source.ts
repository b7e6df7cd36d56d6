import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assertOwnItems, assertSameLayout } from './assert-layout.js'
import { assertSource } from './assert-source.js'
import { findExportFolder, isFolder, readExport } from './export-folder.js'
import { CREATE_ITEMS } from './item-table.js'
import { assertAllParts, dumpFiles, readItemFiles, readRowFiles } from './read-dump.js'
import { countItems, type ItemReader, readExports } from './read-export.js'
import { type DownloadOptions, withDownloads } from './s3-download.js'
import { scanTable } from './scan-table.js'
import type { BatchSource, LoadedItems } from './source.js'
import { sourceError } from './source-error.js'

/** A store on disk has this file. */
const DISK_FILE = 'data.mdb'

/** Reads the items of a source into the table of items. `nowMs` is the moment of a Scan. */
export async function loadSource(
  reader: ItemReader,
  source: BatchSource,
  nowMs: number,
  options: DownloadOptions = {},
): Promise<LoadedItems> {
  assertSource(source)
  const { database } = reader
  await database.run(CREATE_ITEMS)
  if (typeof source === 'object' && 'store' in source) {
    const readUnits = await scanTable(reader, source, options.signal)
    await assertSameLayout(reader, source.table ?? reader.layout.design.name)
    return { items: await countItems(database), moment: new Date(nowMs).toISOString(), readUnits }
  }
  const paths = [source].flat() as string[]
  const moment = await withDownloads(paths, options, local => loadFiles(reader, local, nowMs))
  return { items: await countItems(database), moment, readUnits: 0 }
}

/** Resolves to the moment of the files. */
async function loadFiles(reader: ItemReader, paths: readonly string[], nowMs: number): Promise<string> {
  const exports = paths.map(path => (isFolder(path) ? findExportFolder(path) : undefined))
  if (exports.every(found => found !== undefined)) {
    const read = exports.map(readExport)
    await readExports(reader, read)
    await assertOwnItems(reader, read[0]!.folder)
    return read.at(-1)!.moment
  }
  const files = paths.flatMap(filesIn)
  const { items, rows } = dumpFiles(files)
  if (items.length + rows.length === 0)
    throw sourceError(paths.join(', '), 'it holds neither an export nor a dump', 'give the folder of one of them')
  if (items.length > 0) {
    await readItemFiles(reader, items)
    await assertOwnItems(reader, items[0]!)
  }
  if (rows.length > 0) await readRowFiles(reader, rows, nowMs)
  const changedMs = Math.max(...[...items, ...rows].map(path => statSync(path).mtimeMs))
  return new Date(changedMs).toISOString()
}

function filesIn(path: string): string[] {
  if (!isFolder(path)) return [path]
  const names = readdirSync(path).sort()
  if (names.includes(DISK_FILE))
    throw sourceError(path, 'it is a folder of disk()', "give { store: disk(path) } as 'from'")
  assertAllParts(path, names)
  return names.map(name => join(path, name))
}

import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DumpPage } from '../../jobs/dump/dump.js'
import { neptuneOwnerTexts, neptuneTexts } from '../../jobs/dump/neptune.js'
import { type CsvTextOptions, csvTexts, jsonTexts, type RowTexts } from '../../jobs/dump/row-texts.js'
import { itemToJson } from '../../jobs/rows/item-json.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { CommandFailure } from '../command-failure.js'
import { toFolderFailure, toTruncatedFailure, toWriteFailure } from '../files/file-failures.js'
import { writeFully } from '../files/write-fully.js'
import { DATA_FILE_NAME } from '../load/inputs.js'

export type DumpFormat = 'json' | 'csv' | 'dynamodb' | 'gremlin' | 'opencypher'

/** The output files of a dump. After an interruption, everything up to a mark stays. */
export interface DumpOutputs {
  /** Adds a page. Resolves to whether all added data is durable, so that the dump can continue from here. */
  add(page: DumpPage): Promise<boolean>
  /** Makes all added data durable. */
  flush(): Promise<void>
  /** The state needed to continue: the length of each file, or the number of files. */
  mark(): DumpMark
  readonly bytes: number
  close(): Promise<void>
}

export type DumpMark = Readonly<Record<string, number>>

/** A file of rows of one type. */
interface RowFile {
  readonly name: string
  readonly type: DeclaredType
  readonly texts: RowTexts
}

/** Creates a predicate for the names of files that a dump writes. */
export function createOutputTest(layout: Layout, format: DumpFormat, types: readonly DeclaredType[]) {
  if (format === 'dynamodb') return (name: string) => PART_FILE.test(name)
  const names = rowFilesOf(layout, format, types).map(({ name }) => name)
  return (name: string) => names.includes(name)
}

export interface OutputOptions extends CsvTextOptions {
  readonly format: DumpFormat
}

export function createOutputs(layout: Layout, options: OutputOptions, folder: string, types: readonly DeclaredType[]) {
  const { format, ...csv } = options
  return format === 'dynamodb' ? new ItemParts(folder) : new RowFiles(folder, rowFilesOf(layout, format, types, csv))
}

function rowFilesOf(
  layout: Layout,
  format: Exclude<DumpFormat, 'dynamodb'>,
  types: readonly DeclaredType[],
  csv: CsvTextOptions = {},
): RowFile[] {
  if (format === 'json' || format === 'csv') {
    const texts = format === 'json' ? jsonTexts(layout) : csvTexts(layout, csv)
    return types.map(type => ({ name: `${type.name}.${format === 'json' ? 'jsonl' : 'csv'}`, type, texts }))
  }
  const owned = types.flatMap(type => (type.kind === 'node' && type.within ? [{ type, owner: type.within.name }] : []))
  return [
    ...types.map(type => ({ name: `${type.name}.csv`, type, texts: neptuneTexts(format) })),
    ...owned.map(({ type, owner }) => ({
      name: `${type.name}.${owner}.csv`,
      type,
      texts: neptuneOwnerTexts(format),
    })),
  ]
}

/** Ensures that the folder is empty, or that this run replaces or continues a dump whose files `isOwn` recognizes. */
export async function prepareFolder(
  folder: string,
  mark: DumpMark | undefined,
  isReplacing: boolean,
  isOwn: (name: string) => boolean,
): Promise<void> {
  const names = await mkdir(folder, { recursive: true })
    .then(() => readdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      throw toFolderFailure(folder, error)
    })
  if (names.length > 0 && !mark && !isReplacing)
    throw new CommandFailure(
      `${folder}: the folder is not empty; give another folder, or add --restart to replace its files.`,
    )
  const foreignFile = names.find(name => DATA_FILE_NAME.test(name) && !isOwn(name))
  if (foreignFile !== undefined)
    throw new CommandFailure(
      `${join(folder, foreignFile)}: the file does not belong to this dump, but a load of the folder would read it; remove it, or give another folder.`,
    )
}

const RESTART = 'add --restart to start over'

/** All files exist from the start: a file without a mark was interrupted before its header. */
class RowFiles implements DumpOutputs {
  private readonly openFiles: { readonly of: RowFile; readonly file: FileHandle; at: number }[] = []
  bytes = 0

  constructor(
    private readonly folder: string,
    private readonly files: readonly RowFile[],
  ) {}

  async begin(mark: DumpMark | undefined): Promise<void> {
    for (const rowFile of this.files) {
      const path = join(this.folder, rowFile.name)
      const isBegun = mark?.[rowFile.name] !== undefined
      const file = await open(path, isBegun ? 'r+' : 'w').catch((error: NodeJS.ErrnoException) => {
        throw toWriteFailure(path, error, isBegun ? RESTART : 'give another folder')
      })
      const offset = mark?.[rowFile.name] ?? 0
      // Writing beyond the end would fill the gap with zeros.
      if ((await file.stat()).size < offset) throw toTruncatedFailure(path, RESTART)
      await file.truncate(offset)
      const opened = { of: rowFile, file, at: offset }
      this.openFiles.push(opened)
      if (!isBegun) await this.write(opened, rowFile.texts.header(rowFile.type))
    }
  }

  async add({ rows }: DumpPage): Promise<boolean> {
    for (const opened of this.openFiles) {
      const { type, texts } = opened.of
      const lines = rows.filter(row => row.type === type).map(row => texts.line(row))
      if (lines.length > 0) await this.write(opened, lines.join(''))
    }
    await this.flush()
    return true
  }

  async flush(): Promise<void> {
    await Promise.all(this.openFiles.map(({ file }) => file.datasync()))
  }

  mark(): DumpMark {
    return Object.fromEntries(this.openFiles.map(({ of, at }) => [of.name, at]))
  }

  async close(): Promise<void> {
    await Promise.all(this.openFiles.map(({ file }) => file.close()))
  }

  private async write(to: { readonly file: FileHandle; at: number }, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await writeFully(to.file, bytes, to.at)
    to.at += bytes.length
    this.bytes += bytes.length
  }
}

const PART_FILE = /^part-(\d+)\.json\.gz(?:\.new)?$/
const PART_BYTES = 32 * 1024 * 1024

/** Writes every item in part files that are either complete or absent. */
class ItemParts implements DumpOutputs {
  private lines: string[] = []
  private pendingCharacters = 0
  private parts = 0
  bytes = 0

  constructor(private readonly folder: string) {}

  async begin(mark: DumpMark | undefined): Promise<void> {
    this.parts = mark?.parts ?? 0
    for (const name of await readdir(this.folder)) {
      const [, number] = PART_FILE.exec(name) ?? []
      if (number !== undefined && Number(number) > this.parts) await rm(join(this.folder, name))
    }
  }

  async add({ items }: DumpPage): Promise<boolean> {
    for (const item of items) {
      const line = `{"Item":${itemToJson(item)}}\n`
      this.lines.push(line)
      this.pendingCharacters += line.length
    }
    if (this.pendingCharacters < PART_BYTES) return this.pendingCharacters === 0
    await this.flush()
    return true
  }

  async flush(): Promise<void> {
    if (this.lines.length === 0) return
    const name = join(this.folder, `part-${String(this.parts + 1).padStart(5, '0')}.json.gz`)
    const bytes = gzipSync(this.lines.join(''))
    await writeFile(`${name}.new`, bytes, { flush: true })
    await rename(`${name}.new`, name)
    this.parts++
    this.bytes += this.pendingCharacters
    this.lines = []
    this.pendingCharacters = 0
  }

  mark(): DumpMark {
    return { parts: this.parts }
  }

  async close(): Promise<void> {}
}

import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DumpedPage } from '../../jobs/dump/dump.js'
import { neptuneOwnerTexts, neptuneTexts } from '../../jobs/dump/neptune.js'
import { type CsvOptions, csvTexts, jsonTexts, type RowTexts } from '../../jobs/dump/texts.js'
import { itemToJson } from '../../jobs/rows/item-json.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { Failure } from '../failure.js'
import { DATA } from '../load/inputs.js'
import { writeWhole } from '../write-whole.js'

export type DumpFormat = 'json' | 'csv' | 'dynamodb' | 'gremlin' | 'opencypher'

/** The files of a dump, of which everything up to a mark stays when the dump is cut off. */
export interface Outputs {
  /** Whether all that was added is safe, so that the dump can go on from there. */
  add(page: DumpedPage): Promise<boolean>
  /** Makes all that was added safe. */
  settle(): Promise<void>
  /** What is needed to go on: how long each file is, or how many there are. */
  mark(): Mark
  readonly bytes: number
  close(): Promise<void>
}

export type Mark = Readonly<Record<string, number>>

/** A file of rows of one type. */
interface RowFile {
  readonly name: string
  readonly type: DeclaredType
  readonly texts: RowTexts
}

/** Whether a file in the folder of a dump is one that it writes. */
export function isOutput(layout: Layout, format: DumpFormat, types: readonly DeclaredType[]) {
  if (format === 'dynamodb') return (name: string) => PART.test(name)
  const names = filesOf(layout, format, types).map(({ name }) => name)
  return (name: string) => names.includes(name)
}

export interface OutputOptions extends CsvOptions {
  readonly format: DumpFormat
}

export function outputsOf(layout: Layout, options: OutputOptions, folder: string, types: readonly DeclaredType[]) {
  const { format, ...csv } = options
  return format === 'dynamodb' ? new ItemParts(folder) : new RowFiles(folder, filesOf(layout, format, types, csv))
}

function filesOf(
  layout: Layout,
  format: Exclude<DumpFormat, 'dynamodb'>,
  types: readonly DeclaredType[],
  csv: CsvOptions = {},
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

/** An empty folder, unless it is to be written over or to go on: then one with nothing that `isOwn` does not know as its own. */
export async function prepareFolder(
  folder: string,
  mark: Mark | undefined,
  over: boolean,
  isOwn: (name: string) => boolean,
): Promise<void> {
  const names = await mkdir(folder, { recursive: true })
    .then(() => readdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`folder ${folder} cannot be written: ${error.message}`)
    })
  if (names.length > 0 && !mark && !over)
    throw new Failure(`${folder} is not empty; give another folder, or add --restart to replace its files`)
  const other = names.find(name => DATA.test(name) && !isOwn(name))
  if (other !== undefined)
    throw new Failure(
      `${join(folder, other)} does not belong to this dump, and a load of the folder would read it; remove it, or give another folder`,
    )
}

/** All files are there from the start: one that the mark does not have was cut off before it began. */
class RowFiles implements Outputs {
  private readonly opened: { readonly of: RowFile; readonly file: FileHandle; at: number }[] = []
  bytes = 0

  constructor(
    private readonly folder: string,
    private readonly files: readonly RowFile[],
  ) {}

  async begin(mark: Mark | undefined): Promise<void> {
    for (const of of this.files) {
      const path = join(this.folder, of.name)
      const isBegun = mark?.[of.name] !== undefined
      const file = await open(path, isBegun ? 'r+' : 'w').catch(() => {
        throw new Failure(`${path} cannot be opened; add --restart to start over`)
      })
      const at = mark?.[of.name] ?? 0
      // What is missing would become zeros.
      if ((await file.stat()).size < at)
        throw new Failure(`${path} is shorter than its checkpoint says; add --restart to start over`)
      await file.truncate(at)
      const opened = { of, file, at }
      this.opened.push(opened)
      if (!isBegun) await this.write(opened, of.texts.header(of.type))
    }
  }

  async add({ rows }: DumpedPage): Promise<boolean> {
    for (const opened of this.opened) {
      const { type, texts } = opened.of
      const lines = rows.filter(row => row.type === type).map(row => texts.line(row))
      if (lines.length > 0) await this.write(opened, lines.join(''))
    }
    await this.settle()
    return true
  }

  async settle(): Promise<void> {
    await Promise.all(this.opened.map(({ file }) => file.datasync()))
  }

  mark(): Mark {
    return Object.fromEntries(this.opened.map(({ of, at }) => [of.name, at]))
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map(({ file }) => file.close()))
  }

  private async write(to: { readonly file: FileHandle; at: number }, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await writeWhole(to.file, bytes, to.at)
    to.at += bytes.length
    this.bytes += bytes.length
  }
}

const PART = /^part-(\d+)\.json\.gz(?:\.new)?$/
const PART_BYTES = 32 * 1024 * 1024

/** Every item, in parts that are whole or absent. */
class ItemParts implements Outputs {
  private lines: string[] = []
  private waiting = 0
  private parts = 0
  bytes = 0

  constructor(private readonly folder: string) {}

  async begin(mark: Mark | undefined): Promise<void> {
    this.parts = mark?.parts ?? 0
    for (const name of await readdir(this.folder)) {
      const [, number] = PART.exec(name) ?? []
      if (number !== undefined && Number(number) > this.parts) await rm(join(this.folder, name))
    }
  }

  async add({ items }: DumpedPage): Promise<boolean> {
    for (const item of items) {
      const line = `{"Item":${itemToJson(item)}}\n`
      this.lines.push(line)
      this.waiting += line.length
    }
    if (this.waiting < PART_BYTES) return this.waiting === 0
    await this.settle()
    return true
  }

  async settle(): Promise<void> {
    if (this.lines.length === 0) return
    const name = join(this.folder, `part-${String(this.parts + 1).padStart(5, '0')}.json.gz`)
    const bytes = gzipSync(this.lines.join(''))
    await writeFile(`${name}.new`, bytes, { flush: true })
    await rename(`${name}.new`, name)
    this.parts++
    this.bytes += this.waiting
    this.lines = []
    this.waiting = 0
  }

  mark(): Mark {
    return { parts: this.parts }
  }

  async close(): Promise<void> {}
}

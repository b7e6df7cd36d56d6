import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DumpedPage } from '../../jobs/dump/dump.js'
import { neptuneTexts } from '../../jobs/dump/neptune.js'
import { csvTexts, jsonTexts, type RowTexts } from '../../jobs/dump/texts.js'
import { itemToJson } from '../../jobs/rows/item-json.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { Failure } from '../failure.js'

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

export function outputsOf(layout: Layout, format: DumpFormat, folder: string, types: readonly DeclaredType[]) {
  if (format === 'dynamodb') return new ItemParts(folder)
  const texts = format === 'json' ? jsonTexts(layout) : format === 'csv' ? csvTexts(layout) : neptuneTexts(format)
  const extension = format === 'json' ? 'jsonl' : 'csv'
  return new TypeFiles(folder, texts, types, type => `${type.name}.${extension}`)
}

/** An empty folder, unless it is to be written over or to go on. */
export async function prepareFolder(folder: string, mark: Mark | undefined, over: boolean): Promise<void> {
  const names = await mkdir(folder, { recursive: true })
    .then(() => readdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`the folder ${folder} cannot be written: ${error.message}`)
    })
  if (names.length > 0 && !mark && !over)
    throw new Failure(`${folder} is not empty: give another folder, or --restart to write over what is there`)
}

/** A file for each type, all there from the start. */
class TypeFiles implements Outputs {
  private readonly files = new Map<string, { readonly file: FileHandle; at: number }>()
  bytes = 0

  constructor(
    private readonly folder: string,
    private readonly texts: RowTexts,
    private readonly types: readonly DeclaredType[],
    private readonly nameOf: (type: DeclaredType) => string,
  ) {}

  async begin(mark: Mark | undefined): Promise<void> {
    for (const type of this.types) {
      const name = this.nameOf(type)
      const path = join(this.folder, name)
      const file = await open(path, mark ? 'r+' : 'w').catch(() => {
        throw new Failure(`${path} cannot be opened: --restart begins anew`)
      })
      const at = mark?.[name] ?? 0
      await file.truncate(at)
      this.files.set(type.name, { file, at })
      if (!mark) await this.write(type.name, this.texts.header(type))
    }
  }

  async add({ rows }: DumpedPage): Promise<boolean> {
    const lines = new Map<string, string[]>()
    for (const row of rows) {
      const of = lines.get(row.type.name) ?? []
      of.push(this.texts.line(row))
      lines.set(row.type.name, of)
    }
    for (const [type, of] of lines) await this.write(type, of.join(''))
    await this.settle()
    return true
  }

  async settle(): Promise<void> {
    await Promise.all([...this.files.values()].map(({ file }) => file.datasync()))
  }

  mark(): Mark {
    return Object.fromEntries(this.types.map(type => [this.nameOf(type), this.files.get(type.name)!.at]))
  }

  async close(): Promise<void> {
    await Promise.all([...this.files.values()].map(({ file }) => file.close()))
  }

  private async write(type: string, text: string): Promise<void> {
    const to = this.files.get(type)!
    const bytes = Buffer.from(text)
    await to.file.write(bytes, 0, bytes.length, to.at)
    to.at += bytes.length
    this.bytes += bytes.length
  }
}

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
      const [, number] = /^part-(\d+)\.json\.gz(?:\.new)?$/.exec(name) ?? []
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

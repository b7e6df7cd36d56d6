import { resolve } from 'node:path'
import type { LoadPlace } from '../../jobs/load/load.js'
import { Failure } from '../failure.js'
import type { KeptFile } from '../kept-file.js'
import type { StoreOptions } from '../options.js'
import type { Input } from './inputs.js'

/** What a load is of: with another of these it is another load. */
export interface LoadIdentity {
  readonly fingerprint: string
  readonly table: string
  readonly store: string
  readonly existing: string
  readonly tenant: string | undefined
  readonly files: readonly object[]
}

export interface Checkpoint {
  readonly of: LoadIdentity
  readonly place: LoadPlace
  readonly failedBytes: number
}

export function storeName({ endpoint, path, region }: StoreOptions): string {
  return path === undefined ? (endpoint ?? `AWS ${region ?? ''}`.trim()) : resolve(path)
}

export function filesOf(inputs: readonly Input[]): object[] {
  return inputs.map(({ name, format, type, columns, separator, sizeBytes, changedMs }) => ({
    name: resolve(name),
    format,
    type,
    columns,
    separator,
    sizeBytes,
    changedMs,
  }))
}

/** Where the same load was cut off; undefined where it begins. */
export async function resumed(kept: KeptFile, of: LoadIdentity): Promise<Checkpoint | undefined> {
  const found = (await kept.read()) as Checkpoint | undefined
  if (!found) return undefined
  const before: Partial<Record<string, unknown>> = { ...found.of }
  const changed = Object.entries(of).filter(([name, value]) => text(value) !== text(before[name]))
  if (changed.length === 0 && found.place) return found
  const words = changed.map(([name]) => WORDS[name] ?? name).join(' and ')
  throw new Failure(
    `${kept.path} belongs to an interrupted load, and ${words} changed since; add --restart to start over, or give another --checkpoint`,
  )
}

const text = (value: unknown) => JSON.stringify(value)

const WORDS: Readonly<Record<string, string>> = {
  fingerprint: 'the layout',
  table: 'the table',
  store: 'the store',
  existing: '--existing',
  tenant: '--tenant',
  files: 'the data',
}

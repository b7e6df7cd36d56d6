import { resolve } from 'node:path'
import type { LoadCursor } from '../../jobs/load/load.js'
import { CommandFailure } from '../command-failure.js'
import type { AtomicJsonFile } from '../files/atomic-json-file.js'
import { OTHER_CHECKPOINT } from '../files/file-failures.js'
import type { StoreOptions } from '../options.js'
import type { LoadInput } from './inputs.js'

/** The parameters of a load; a load with different parameters cannot continue it. */
export interface LoadIdentity {
  readonly fingerprint: string
  readonly table: string
  readonly store: string
  readonly existing: string
  readonly tenant: string | undefined
  readonly files: readonly object[]
}

export interface LoadCheckpoint {
  readonly of: LoadIdentity
  readonly place: LoadCursor
  readonly failedBytes: number
}

export function storeName({ endpoint, path, region }: StoreOptions): string {
  return path === undefined ? (endpoint ?? `AWS ${region ?? ''}`.trim()) : resolve(path)
}

export function fileIdentitiesOf(inputs: readonly LoadInput[]): object[] {
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

/** The progress of an interrupted load; undefined for a new one. */
export async function resumeLoad(
  checkpointFile: AtomicJsonFile,
  identity: LoadIdentity,
): Promise<LoadCheckpoint | undefined> {
  const checkpoint = (await checkpointFile.read()) as LoadCheckpoint | undefined
  if (!checkpoint) return undefined
  const previous: Partial<Record<string, unknown>> = { ...checkpoint.of }
  const changed = Object.entries(identity).filter(
    ([name, value]) => toComparableText(value) !== toComparableText(previous[name]),
  )
  if (changed.length === 0 && checkpoint.place) return checkpoint
  const words = changed.map(([name]) => IDENTITY_DESCRIPTIONS[name] ?? name).join(' and ')
  throw new CommandFailure(
    `${checkpointFile.path}: the checkpoint is of an interrupted load, and ${words} changed since; add --restart to start over, or ${OTHER_CHECKPOINT}.`,
  )
}

const toComparableText = (value: unknown) => JSON.stringify(value)

const IDENTITY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  fingerprint: 'the layout',
  table: 'the table',
  store: 'the store',
  existing: '--existing',
  tenant: '--tenant',
  files: 'the data',
}

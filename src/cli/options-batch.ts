import { type Command, InvalidArgumentError, Option } from 'commander'
import { addSchemaOptions, addStoreOptions, parseFolder, type SchemaOptions, type StoreOptions } from './options.js'

/** What a command over an export takes. */
export interface SourceOptions extends SchemaOptions, StoreOptions {
  readonly from?: readonly string[]
  readonly readUnits?: number
  readonly segments?: number
  readonly memory?: string
  readonly threads?: number
}

/** For a command that reads all items at once, from an export or from the table. */
export const withSource = (command: Command): Command =>
  addStoreOptions(addSchemaOptions(command))
    .option(
      '--from <path>',
      'folder or s3:// URL of the export or dump to read; repeat it for incremental exports (default: the table)',
      repeated,
    )
    .option('--read-units <number>', 'read capacity units per second that a Scan of the table may use', aboveZero)
    .option('--segments <number>', 'number of table segments to scan in parallel', wholeAboveZero)
    .option('--memory <size>', 'memory for tables and queries, such as 600MB')
    .option('--threads <number>', 'number of threads of a query', wholeAboveZero)

/** How a command computes: in this process, or on Spark. */
export interface BatchEngineOptions {
  readonly engine?: 'duckdb' | 'spark'
  readonly results?: string
}

export const engineOption = (): Option =>
  new Option('--engine <name>', 'engine that computes: duckdb, or a local spark')
    .choices(['duckdb', 'spark'])
    .default('duckdb')

export const resultsOption = (): Option =>
  new Option('--results <folder>', 'results of a run on Spark to use instead of computing')
    .argParser(parseFolder)
    .conflicts(['from'])

/** Takes one path each time: a list would take the arguments after it too. */
export const repeated = (path: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  parseFolder(path),
]

export function aboveZero(text: string): number {
  if (!(Number(text) > 0)) throw new InvalidArgumentError('Give a number above 0.')
  return Number(text)
}

export function wholeAboveZero(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1.')
  return Number(text)
}

import { type Command, InvalidArgumentError, Option } from 'commander'

export interface JsonOption {
  readonly json?: boolean
}

export interface SchemaOptions extends JsonOption {
  /** The name of the graph's export, if the file has several graphs. */
  readonly export?: string
}

export interface StoreOptions {
  readonly endpoint?: string
  readonly region?: string
  readonly table?: string
  readonly path?: string
}

/** Every command has this option. */
export const addJsonOption = (command: Command): Command => command.option('--json', 'print JSON')

/** Adds the schema argument: the file, and the export in it. */
export const addSchemaOptions = (command: Command): Command =>
  addJsonOption(
    command
      .argument('<file>', 'TypeScript or JavaScript file that exports a graph or its layout')
      .option('--export <name>', 'export to use, if the file has several graphs'),
  )

/** Adds the options of commands that use a table: AWS as the SDK finds it, an endpoint, or a folder on disk. */
export const addStoreOptions = (command: Command): Command =>
  command
    .option('--table <name>', 'table name (default: the name of the graph)')
    .option('--region <name>', 'AWS region (default: the region of the AWS SDK)')
    .option('--endpoint <url>', 'endpoint other than AWS, such as http://127.0.0.1:8000')
    .addOption(
      new Option('--path <folder>', 'folder on disk to use instead of AWS')
        .argParser(parseFolder)
        .conflicts(['endpoint']),
    )

/** An unset shell variable gives an empty path, which would mean the current folder. */
export function parseFolder(path: string): string {
  if (path === '') throw new InvalidArgumentError('Give the path of a folder.')
  return path
}

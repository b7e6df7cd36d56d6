import { type Command, InvalidArgumentError, Option } from 'commander'

export interface JsonOption {
  readonly json?: boolean
}

export interface SchemaOptions extends JsonOption {
  /** The name of the export to take, where the file has several graphs. */
  readonly export?: string
}

export interface StoreOptions {
  readonly endpoint?: string
  readonly region?: string
  readonly table?: string
  readonly path?: string
}

/** Every command has it. */
export const addJsonOption = (command: Command): Command => command.option('--json', 'print JSON')

/** For a command that reads a schema: its file, and which graph of it. */
export const addSchemaOptions = (command: Command): Command =>
  addJsonOption(
    command
      .argument('<file>', 'TypeScript or JavaScript file that exports a graph or its layout')
      .option('--export <name>', 'export to use, if the file has several graphs'),
  )

/** For a command that works on a table: AWS as the SDK finds it, an endpoint, or a folder on disk. */
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

/** A variable of a shell that is not set would be the folder in which the command is run. */
export function parseFolder(path: string): string {
  if (path === '') throw new InvalidArgumentError('Give the path of a folder.')
  return path
}

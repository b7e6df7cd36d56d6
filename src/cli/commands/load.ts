import { type Command, InvalidArgumentError, Option } from 'commander'
import { addSchemaOptions, addStoreOptions } from '../options.js'

export function register(program: Command): void {
  addStoreOptions(addSchemaOptions(program.command('load')))
    .summary('import files as nodes and edges')
    .description('Import the rows of files as nodes and edges: JSON lines, CSV, or an export of DynamoDB.')
    .argument('<data...>', 'files or folders, also .gz; - for standard input')
    .addOption(
      new Option('--format <name>', 'file format (default: by the name of the file)').choices([
        'json',
        'csv',
        'dynamodb',
        'ion',
      ]),
    )
    .option('--type <name>', 'type of rows without a type (default: by the name of the file)')
    .option(
      '--column <column=attribute>',
      'map a CSV column to an attribute; "column=" ignores the column',
      parseColumn,
    )
    .option('--separator <character>', 'separator of CSV cells; tab for a tab', parseSeparator)
    .option('--tenant <name>', 'tenant of rows without a tenant')
    .addOption(
      new Option('--existing <what>', 'whether to replace or leave existing nodes and edges')
        .choices(['replace', 'leave'])
        .default('replace'),
    )
    .option(
      '--concurrency <number>',
      'number of concurrent requests (default: 16, or 256 for a folder on disk)',
      parsePositive,
    )
    .addOption(
      new Option(
        '--items',
        'write the items of exports as they are, also incremental ones, not as nodes and edges',
      ).conflicts(['format', 'type', 'column', 'separator', 'tenant', 'failed', 'checkpoint', 'restart']),
    )
    .option('--failed <file>', 'file for rejected rows (default: next to the data)')
    .option('--checkpoint <file>', 'file to save progress in (default: next to the data)')
    .option('--restart', 'start over after an interrupted load')
    .addHelpText('after', EXAMPLES)
    .action(async (file, data, options) =>
      options.items
        ? (await import('../load/items-command.js')).loadItemsCommand(file, data, options)
        : (await import('../load/command.js')).loadCommand(file, data, options),
    )
}

const EXAMPLES = `
If the command is interrupted, run it again to continue; it writes nothing twice.
The exit code is 1 if a row was rejected. The --failed file has each rejected row
with its line and the reason. A missing table is created only in a folder on
disk; use deploy for others. Data derived by the stream follows when its consumer
runs. Standard input is first copied to a temporary file, and cannot be continued.

Examples:
  $ edgewise load graph.ts rows.jsonl --path ./data
  with rows.jsonl as in {"type":"movie","name":"Big","year":1988}
  $ edgewise load graph.ts bills.csv --type bill --column "Bill No=no"
  $ psql -c 'copy movie to stdout csv header' |
    edgewise load graph.ts - --format csv --type movie
  $ edgewise load graph.ts movie.csv role.csv --endpoint http://127.0.0.1:8000
  $ edgewise load graph.ts ./AWSDynamoDB/01700000000000-abcd
  $ edgewise load graph.ts --items ./exports/full ./exports/monday ./exports/tuesday`

function parseColumn(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form column=attribute.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function parseSeparator(text: string): string {
  const separator = text === 'tab' || text === '\\t' ? '\t' : text
  if (separator.length !== 1 || separator === '"' || separator.charCodeAt(0) > 127)
    throw new InvalidArgumentError('Give one character, such as ; or tab.')
  return separator
}

function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 9999.')
  return Number(text)
}

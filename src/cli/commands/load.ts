import { type Command, InvalidArgumentError, Option } from 'commander'
import { withSchema, withStore } from '../options.js'

export function register(program: Command): void {
  withStore(withSchema(program.command('load')))
    .summary('rows of files as nodes and edges')
    .description('Write rows of files as nodes and edges: JSON lines, CSV, or an export of DynamoDB.')
    .argument('<data...>', 'files, or folders of them; also with .gz; - for standard input')
    .addOption(
      new Option('--format <name>', 'what the files are; by their names unless given').choices([
        'json',
        'csv',
        'dynamodb',
      ]),
    )
    .option('--type <name>', 'the type of rows that do not say theirs; by the name of their file unless given')
    .option('--column <column=attribute>', 'what a column of CSV is; "column=" leaves it out', column)
    .option('--separator <character>', 'what stands between the cells of CSV; tab for a tab', separator)
    .option('--tenant <name>', 'the tenant of rows that do not say theirs')
    .addOption(
      new Option('--existing <what>', 'what becomes of nodes and edges that are there')
        .choices(['replace', 'leave'])
        .default('replace'),
    )
    .option(
      '--concurrency <number>',
      'how many requests are under way at once; 16 unless given, and 256 in a folder on disk',
      atLeastOne,
    )
    .option('--failed <file>', 'where rows go that are refused; beside the data unless given')
    .option('--checkpoint <file>', 'where it notes how far it came; beside the data unless given')
    .option('--restart', 'begin anew where an earlier load was cut off')
    .addHelpText('after', EXAMPLES)
    .action(async (file, data, options) => (await import('../load/command.js')).loadCommand(file, data, options))
}

const EXAMPLES = `
A load that was cut off goes on where it stopped when it is run again, and
writes nothing twice. Exits with 1 where a row was refused: each is in the file
of failed rows, with its line and the reason. In a folder on disk a table that is
missing is made; elsewhere deploy makes it. What the stream keeps follows when
its consumer runs. Standard input is taken in whole before it is loaded, into a
temporary file; cut off, it begins anew.

Examples:
  $ edgewise load graph.ts rows.jsonl --path ./data
  with rows.jsonl as in {"type":"movie","name":"Big","year":1988}
  $ edgewise load graph.ts bills.csv --type bill --column "Bill No=no"
  $ psql -c 'copy movie to stdout csv header' |
    edgewise load graph.ts - --format csv --type movie
  $ edgewise load graph.ts movie.csv role.csv --endpoint http://127.0.0.1:8000
  $ edgewise load graph.ts ./AWSDynamoDB/01700000000000-abcd`

function column(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give it as column=attribute.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function separator(text: string): string {
  const meant = text === 'tab' || text === '\\t' ? '\t' : text
  if (meant.length !== 1 || meant === '"' || meant.charCodeAt(0) > 127)
    throw new InvalidArgumentError('It is one character, such as ; or tab.')
  return meant
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 to 9999.')
  return Number(text)
}

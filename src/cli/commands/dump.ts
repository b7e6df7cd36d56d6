import { type Command, InvalidArgumentError, Option } from 'commander'
import { addSchemaOptions, addStoreOptions } from '../options.js'

export function register(program: Command): void {
  addStoreOptions(addSchemaOptions(program.command('dump')))
    .summary('export nodes and edges to files')
    .description('Export the nodes and edges of a table to files, or all of its items.')
    .argument('<folder>', 'folder for the files, one file per type')
    .addOption(
      new Option('--format <name>', 'file format')
        .choices(['json', 'csv', 'dynamodb', 'gremlin', 'opencypher'])
        .default('json'),
    )
    .option('--type <name...>', 'export only these types')
    .option('--tenant <name>', 'export only this tenant')
    .option('--segments <number>', 'number of table segments to read in parallel', atLeastOne, 4)
    .option('--consistent', 'use strongly consistent reads, at twice the price')
    .option('--escape-formulas', 'put an apostrophe before CSV cells that a spreadsheet would run as a formula')
    .option('--checkpoint <file>', 'file to save progress in (default: next to the folder)')
    .option('--restart', 'start over and replace the files in the folder')
    .addHelpText('after', EXAMPLES)
    .action(async (file, folder, options) => (await import('../dump/command.js')).dumpCommand(file, folder, options))
}

const EXAMPLES = `
Formats: \`edgewise load\` reads json and csv. DynamoDB imports dynamodb from S3
(DYNAMODB_JSON, GZIP), with every item unchanged. Neptune's bulk loader reads
gremlin and opencypher. If the command is interrupted, run it again to continue.

Examples:
  $ edgewise dump graph.ts ./rows --path ./data
  $ edgewise dump graph.ts ./items --format dynamodb --region eu-west-1
  $ edgewise dump graph.ts ./neptune --format gremlin --type movie actor role`

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999.')
  return Number(text)
}

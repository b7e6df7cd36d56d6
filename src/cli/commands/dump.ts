import { type Command, InvalidArgumentError, Option } from 'commander'
import { withSchema, withStore } from '../options.js'

export function register(program: Command): void {
  withStore(withSchema(program.command('dump')))
    .summary('nodes and edges as files, also for Neptune')
    .description('Write the nodes and edges of a table to files, or all its items.')
    .argument('<folder>', 'where the files go, one for each type')
    .addOption(
      new Option('--format <name>', 'what the files are')
        .choices(['json', 'csv', 'dynamodb', 'gremlin', 'opencypher'])
        .default('json'),
    )
    .option('--type <name...>', 'only these types')
    .option('--tenant <name>', 'only what is of this tenant')
    .option('--segments <number>', 'how many parts of the table are read side by side', atLeastOne, 4)
    .option('--consistent', 'read strongly consistently, for twice the price')
    .option('--escape-formulas', 'put an apostrophe before CSV cells that a spreadsheet would run as a formula')
    .option('--checkpoint <file>', 'where it notes how far it came; beside the folder unless given')
    .option('--restart', 'begin anew, over what is in the folder')
    .addHelpText('after', EXAMPLES)
    .action(async (file, folder, options) => (await import('../dump/command.js')).dumpCommand(file, folder, options))
}

const EXAMPLES = `
json and csv can be loaded again; dynamodb is what DynamoDB imports from S3
(DYNAMODB_JSON, GZIP), with every item as it is; gremlin and opencypher are what
Neptune's bulk loader takes. A dump that was cut off goes on where it stopped
when it is run again.

Examples:
  $ edgewise dump graph.ts ./rows --path ./data
  $ edgewise dump graph.ts ./items --format dynamodb --region eu-west-1
  $ edgewise dump graph.ts ./neptune --format gremlin --type movie actor role`

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 to 999.')
  return Number(text)
}

import { type Command, InvalidArgumentError } from 'commander'
import { addSchemaOptions, addStoreOptions } from '../options.js'

export function register(program: Command): void {
  addStoreOptions(addSchemaOptions(program.command('deploy')))
    .summary('create or update a table')
    .description(
      'Create the table of a schema, or update a live table to it. Shows the changes, asks, applies them and waits.',
    )
    .option('--dry-run', 'show the changes without applying them')
    .option('-y, --yes', 'apply the changes without asking')
    .option('--optional', 'also apply optional steps, which only save money')
    .option('--recovery <days>', 'point-in-time recovery, 1 to 35 days; 0 leaves it unchanged', parseDays, 35)
    .option('--no-protection', 'do not enable deletion protection')
    .option('--no-consumers', 'do not create the table of stream consumers')
    .option('--autoscaled', 'do not change capacity that autoscaling manages')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../deploy/command.js')).deployCommand(file, options))
}

const EXAMPLES = `
If the command is interrupted, run it again to continue. Indexes are built one at
a time.

Examples:
  $ edgewise deploy graph.ts --dry-run
  $ edgewise deploy graph.ts --region eu-west-1
  $ edgewise deploy graph.ts --endpoint http://127.0.0.1:8000 --yes
  $ edgewise deploy graph.ts --path ./data --yes --json`

const DAYS = 35

function parseDays(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > DAYS) throw new InvalidArgumentError('Give a whole number from 0 to 35.')
  return Number(text)
}

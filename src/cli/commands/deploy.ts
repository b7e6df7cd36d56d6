import { type Command, InvalidArgumentError } from 'commander'
import { withSchema, withStore } from '../options.js'

export function register(program: Command): void {
  withStore(withSchema(program.command('deploy')))
    .summary('make a table, or bring a live one up to a schema')
    .description('Make the table of a schema, or change a live one into it: shows what differs, asks, applies, waits.')
    .option('--dry-run', 'only show what would be done')
    .option('-y, --yes', 'do not ask')
    .option('--optional', 'take the steps too that only save')
    .option('--recovery <days>', 'point-in-time recovery, 1 to 35 days; 0 leaves it as it is', days, 35)
    .option('--no-protection', 'leave it possible to delete the table')
    .option('--no-consumers', 'leave out the small table of those who follow the stream')
    .option('--autoscaled', 'leave the capacity of a provisioned table to autoscaling')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../deploy/command.js')).deployCommand(file, options))
}

const EXAMPLES = `
Cut off, it goes on where it stopped when it is run again. Indexes are built one
at a time.

Examples:
  $ edgewise deploy graph.ts --dry-run
  $ edgewise deploy graph.ts --region eu-west-1
  $ edgewise deploy graph.ts --endpoint http://127.0.0.1:8000 --yes
  $ edgewise deploy graph.ts --path ./data --yes --json`

const DAYS = 35

function days(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > DAYS) throw new InvalidArgumentError('It is a whole number from 0 to 35.')
  return Number(text)
}

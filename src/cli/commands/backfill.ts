import type { Command } from 'commander'
import { withSchema, withStore } from '../options.js'

export function register(program: Command): void {
  withStore(withSchema(program.command('backfill')))
    .summary('bring items up to a layout that changed')
    .description('Bring the items of a table up to a layout that changed: index keys, mirrors, copies, counters.')
    .option('--from <file>', 'the schema under which the table was written; needed where its own keys or names changed')
    .option('--from-export <name>', 'the export of that file to take, where it has several graphs')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../backfill.js')).backfillCommand(file, options))
}

const EXAMPLES = `
How far it came stands in the table: cut off, it goes on from there when it is
run again.

Examples:
  $ edgewise backfill graph.ts --region eu-west-1
  $ edgewise backfill graph.ts --from before.ts --path ./data`

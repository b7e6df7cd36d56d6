import type { Command } from 'commander'
import { addSchemaOptions, addStoreOptions } from '../options.js'

export function register(program: Command): void {
  addStoreOptions(addSchemaOptions(program.command('backfill')))
    .summary('update items to a changed schema')
    .description('Update the items of a table to a changed schema: index keys, mirrors, copies, counters.')
    .option('--from <file>', 'previous schema; required if keys or stored names of the table changed')
    .option('--from-export <name>', 'export of the --from file to use, if it has several graphs')
    .option('--dry-run', 'show items, capacity and price, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../backfill/command.js')).backfillCommand(file, options))
}

const EXAMPLES = `
Progress is stored in the table. If the command is interrupted, run it again to
continue. A dry run reads the whole table once and needs memory for a copy of it.

Examples:
  $ edgewise backfill graph.ts --dry-run --region eu-west-1
  $ edgewise backfill graph.ts --region eu-west-1
  $ edgewise backfill graph.ts --from before.ts --path ./data`

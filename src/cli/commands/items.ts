import type { Command } from 'commander'
import { addSchemaOptions } from '../options.js'

export function register(program: Command): void {
  addSchemaOptions(program.command('items'))
    .description('Show the items and index entries of example rows.')
    .summary('show the items and index entries of example rows')
    .option('--data <file>', 'JSON file of rows by type (default: the `example` export of the schema)')
    .option('--tenant <name>', 'tenant of the rows, for a graph with tenants')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../print-items.js')).itemsCommand(file, options))
}

const EXAMPLES = `
Examples:
  $ edgewise items graph.ts
  $ edgewise items graph.ts --data rows.json
  with rows.json as in { "movie": [{ "name": "Big", "year": 1988 }] }`

import type { Command } from 'commander'
import { addJsonOption } from '../options.js'

export function register(program: Command): void {
  addJsonOption(program.command('tour'))
    .argument('[graphs...]', 'graphs to show, by number or name (default: a menu)')
    .description(
      'Walk through example graphs in DynamoDB: declarations, items, queries, requests, responses and capacity units.',
    )
    .summary('walk through example graphs')
    .option('--all', 'print everything at once')
    .addHelpText('after', EXAMPLES)
    .action(async (graphs, options) => (await import('../tour/command.js')).tourCommand(graphs, options))
}

const EXAMPLES = `
The tour runs on the embedded engine in memory. If the output is not a terminal,
it prints everything as plain text.

Examples:
  $ edgewise tour
  $ edgewise tour movies
  $ edgewise tour --all | less`

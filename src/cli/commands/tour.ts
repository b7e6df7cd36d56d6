import type { Command } from 'commander'
import { withJson } from '../options.js'

export function register(program: Command): void {
  withJson(program.command('tour'))
    .argument('[graphs...]', 'those to see, by number or name; without any, a menu')
    .description(
      'Walk through graphs in DynamoDB: how they are declared, their items, what is asked, the requests, the answers, the units.',
    )
    .summary('see graphs in DynamoDB: items, requests, answers, units')
    .option('--all', 'print it all at once')
    .addHelpText('after', EXAMPLES)
    .action(async (graphs, options) => (await import('../tour/tour.js')).tourCommand(graphs, options))
}

const EXAMPLES = `
It runs on the embedded engine, in memory. Where the output is no terminal, all
is printed, as plain text.

Examples:
  $ edgewise tour
  $ edgewise tour movies
  $ edgewise tour --all | less`

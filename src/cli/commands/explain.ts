import { type Command, InvalidArgumentError } from 'commander'
import { withSchema } from '../options.js'

export function register(program: Command): void {
  withSchema(program.command('explain'))
    .argument('<call>', 'a call as in your code')
    .description('Show the requests of a call and their price, without sending any.')
    .summary('the requests of a call, and their price')
    .option('--items <number>', 'how many items it finds', amount)
    .option('--item-bytes <number>', 'how large they are', amount)
    .addHelpText('after', EXAMPLES)
    .action(async (file, call, options) => (await import('../explain.js')).explainCommand(file, call, options))
}

const EXAMPLES = `
The handle is \`g\`, which need not be named; add(), remove() and their like are
there too.

Examples:
  $ edgewise explain graph.ts "role.by.actor('Tom Hanks').all()"
  $ edgewise explain graph.ts "g.movie.update('Big', { year: add(1) })"
  $ edgewise explain graph.ts "role.by.movie('Big').withNodes().all()" --items 40`

function amount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number from 0.')
  return Number(text)
}

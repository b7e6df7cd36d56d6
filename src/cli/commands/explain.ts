import { type Command, InvalidArgumentError } from 'commander'
import { addSchemaOptions } from '../options.js'

export function register(program: Command): void {
  addSchemaOptions(program.command('explain'))
    .argument('<call>', 'a call as written in code')
    .description('Show the requests and the price of a call without sending it.')
    .summary('show the requests and the price of a call')
    .option('--items <number>', 'number of items that the call finds', amount)
    .option('--item-bytes <number>', 'size of these items in bytes', amount)
    .addHelpText('after', EXAMPLES)
    .action(async (file, call, options) => (await import('../explain-call.js')).explainCommand(file, call, options))
}

const EXAMPLES = `
The handle is \`g\`, and its members are also in scope, as are add(), remove() and
the other operations.

Examples:
  $ edgewise explain graph.ts "role.by.actor('Tom Hanks').all()"
  $ edgewise explain graph.ts "g.movie.update('Big', { year: add(1) })"
  $ edgewise explain graph.ts "role.by.movie('Big').withNodes().all()" --items 40`

function amount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number from 0.')
  return Number(text)
}

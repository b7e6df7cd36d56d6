import { type Command, InvalidArgumentError } from 'commander'
import { withSchema } from '../options.js'

export function register(program: Command): void {
  withSchema(program.command('advise'))
    .summary('how to keep each edge, and what it costs by month')
    .description(
      'Ask how many, how often and how consistent, and say how to keep each edge and what it costs by month.',
    )
    .option('--facts <file>', 'answers in a file of JSON, in place of questions')
    .option('--set <name=value>', 'one answer, such as role.total=1e6 or role.movie.typical=20', setting)
    .option('--form', 'print a file of answers to be filled in')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../advise/command.js')).adviseCommand(file, options))
}

const EXAMPLES = `
The ways to keep an edge are laid out and priced: its writes on the embedded
engine, its reads by their plans. Local and native cost what an index does.

Examples:
  $ edgewise advise graph.ts
  $ edgewise advise graph.ts --form > facts.json
  $ edgewise advise graph.ts --facts facts.json --json
  $ edgewise advise graph.ts --set role.total=1e6 --set role.actor.consistent=true`

function setting(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give it as name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

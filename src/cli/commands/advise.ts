import { type Command, InvalidArgumentError } from 'commander'
import { addSchemaOptions } from '../options.js'

export function register(program: Command): void {
  addSchemaOptions(program.command('advise'))
    .summary('compare ways to store each edge, with monthly cost')
    .description(
      'Ask about sizes, request rates and consistency, then recommend how to store each edge and show its monthly cost.',
    )
    .option('--facts <file>', 'JSON file with the answers, instead of questions')
    .option('--set <name=value>', 'set one answer, such as role.total=1e6 or role.movie.typical=20', parseSetting)
    .option('--form', 'print a form for --facts to fill in')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../advise/command.js')).adviseCommand(file, options))
}

const EXAMPLES = `
Prices come from the embedded engine for writes, and from query plans for reads.
Local and native indexes cost as much as a global index.

Examples:
  $ edgewise advise graph.ts
  $ edgewise advise graph.ts --form > facts.json
  $ edgewise advise graph.ts --facts facts.json --json
  $ edgewise advise graph.ts --set role.total=1e6 --set role.actor.consistent=true`

function parseSetting(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

import type { Command } from 'commander'
import { withSchema } from '../options.js'

export function register(program: Command): void {
  withSchema(program.command('check'))
    .description('Say what is wrong, or may go wrong, with a schema: its keys, its indexes, its table.')
    .summary('what is wrong with a schema, or may go wrong')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../check.js')).checkCommand(file, options))
}

const EXAMPLES = `
Exits with 1 where there is an error; warnings are no errors.

Examples:
  $ edgewise check graph.ts
  $ edgewise check graph.ts --json`

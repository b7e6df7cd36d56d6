import type { Command } from 'commander'
import { withInspection } from '../options-inspect.js'

export function register(program: Command): void {
  withInspection(program.command('repair'))
    .summary('mend what is not as it should be')
    .description(
      'Mend what verify finds, beside live writers and under the same conditions as they write. What a person must decide is told and left.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../verify.js')).verifyCommand(file, options, true))
}

const EXAMPLES = `
It exits with 1 where something is left.

Examples:
  $ edgewise repair graph.ts --region eu-west-1
  $ edgewise repair graph.ts --type user --id ann --path ./data`

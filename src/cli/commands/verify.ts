import type { Command } from 'commander'
import { withInspection } from '../options-inspect.js'

export function register(program: Command): void {
  withInspection(program.command('verify'))
    .summary('look for what is not as it should be')
    .description(
      'Look through a table for what is not as it should be: counters, copies, mirrors, facets, sentinels, keys of indexes, edges that lead nowhere. It reads strongly consistently and writes nothing.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../verify.js')).verifyCommand(file, options, false))
}

const EXAMPLES = `
It exits with 1 where it found anything. A counter that is behind comes right
when the consumer of the stream runs: in a folder on disk, when a program opens
the graph there.

Examples:
  $ edgewise verify graph.ts --region eu-west-1
  $ edgewise verify graph.ts --type user --id ann --path ./data
  $ edgewise verify graph.ts --json --checkpoint verify.state`

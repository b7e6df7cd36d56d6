import type { Command } from 'commander'
import { addInspectOptions } from '../inspect-options.js'
import { engineOption, repeated, resultsOption, wholeAboveZero } from '../options-batch.js'

export function register(program: Command): void {
  addInspectOptions(program.command('verify'))
    .summary('check a table for inconsistencies')
    .description(
      'Check a table for inconsistencies: counters, copies, mirrors, facets, sentinels, index keys, edges without a node. It uses strongly consistent reads and writes nothing.',
    )
    .option(
      '--from <path>',
      'folder or s3:// URL of an export to validate instead of reading the table; repeat it for increments',
      repeated,
    )
    .option('--findings <file>', 'file to write the inconsistencies of an export to, for repair')
    .option('--offline', 'report what is wrong in the export without reading the table')
    .option('--memory <size>', 'memory for an export, such as 600MB')
    .option('--threads <number>', 'number of threads for an export', wholeAboveZero)
    .addOption(engineOption())
    .addOption(resultsOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) =>
      options.from || options.results || options.engine === 'spark'
        ? (await import('../validate-export.js')).validateCommand(file, options)
        : (await import('../verify/command.js')).verifyCommand(file, options, false),
    )
}

const EXAMPLES = `
The exit code is 1 if there is an inconsistency. A stale counter is updated when
the consumer of the stream runs. In a folder on disk, that is when a program
opens the graph.

Examples:
  $ edgewise verify graph.ts --region eu-west-1
  $ edgewise verify graph.ts --type user --id ann --path ./data
  $ edgewise verify graph.ts --json --checkpoint verify.state
  $ edgewise verify graph.ts --from ./export --findings found.jsonl --region eu-west-1
  $ edgewise verify graph.ts --from ./export --engine spark --offline`

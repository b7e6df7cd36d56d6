import type { Command } from 'commander'
import { addInspectOptions } from '../inspect-options.js'

export function register(program: Command): void {
  addInspectOptions(program.command('repair'))
    .summary('repair inconsistencies')
    .description(
      'Repair the inconsistencies that verify finds. It is safe to run with concurrent writers. Inconsistencies that need a decision are reported and not changed.',
    )
    .option('--findings <file>', 'repair only the items in this file of `edgewise verify --from`')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) =>
      options.findings
        ? (await import('../repair-findings.js')).repairFindings(file, options)
        : (await import('../verify/command.js')).verifyCommand(file, options, true),
    )
}

const EXAMPLES = `
The exit code is 1 if an inconsistency is left.

Examples:
  $ edgewise repair graph.ts --region eu-west-1
  $ edgewise repair graph.ts --type user --id ann --path ./data
  $ edgewise repair graph.ts --findings found.jsonl --region eu-west-1`

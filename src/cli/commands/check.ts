import type { Command } from 'commander'
import { addSchemaOptions } from '../options.js'

export function register(program: Command): void {
  addSchemaOptions(program.command('check'))
    .description('Check a schema for errors and risks in its keys, indexes and table.')
    .summary('check a schema for errors and risks')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../check-schema.js')).checkCommand(file, options))
}

const EXAMPLES = `
The exit code is 1 if there is an error. Warnings do not change it.

Examples:
  $ edgewise check graph.ts
  $ edgewise check graph.ts --json`

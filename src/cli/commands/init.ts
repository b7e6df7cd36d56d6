import type { Command } from 'commander'
import { addJsonOption } from '../options.js'

export function register(program: Command): void {
  addJsonOption(program.command('init'))
    .argument('[folder]', 'folder to write to; created if it does not exist', '.')
    .description('Create a small project with a graph, ready to run.')
    .summary('create a small project, ready to run')
    .addHelpText('after', EXAMPLES)
    .action(async (folder, options) => (await import('../init/command.js')).initCommand(folder, options))
}

const EXAMPLES = `
Creates package.json, tsconfig.json, .gitignore, graph.ts and main.ts. Existing
files are never overwritten.

Examples:
  $ edgewise init movies
  $ cd movies && npm install && npm start`

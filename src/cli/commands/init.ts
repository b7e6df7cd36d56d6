import type { Command } from 'commander'
import { withJson } from '../options.js'

export function register(program: Command): void {
  withJson(program.command('init'))
    .argument('[folder]', 'where to write it; made where it is missing', '.')
    .description('Write a small project with a graph, ready to run.')
    .summary('write a small project with a graph, ready to run')
    .addHelpText('after', EXAMPLES)
    .action(async (folder, options) => (await import('../init.js')).initCommand(folder, options))
}

const EXAMPLES = `
Writes package.json, tsconfig.json, .gitignore, graph.ts and main.ts. Nothing is
overwritten.

Examples:
  $ edgewise init movies
  $ cd movies && npm install && npm start`

import type { Command } from 'commander'
import { aboveZero, withSource } from '../options-batch.js'

export function register(program: Command): void {
  withSource(program.command('batch'))
    .summary('compute summaries and write them to the table')
    .description('Compute the summaries of a job over an export, a dump or the table, and write those that changed.')
    .argument('<job>', 'name of the export of the schema file that is the job')
    .option('--write-units <number>', 'write capacity units per second that the job may use', aboveZero)
    .option('--dry-run', 'compute, compare and show the price, and write nothing')
    .option('--checkpoint <file>', 'save progress in this file, and continue from it')
    .addHelpText('after', EXAMPLES)
    .action(async (file, job, options) => (await import('../run-batch.js')).batchCommand(file, job, options))
}

const EXAMPLES = `
Install DuckDB first: npm install @duckdb/node-api@^1.5.6-r.1
A job is an export such as
  export const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
A second run with the same export writes nothing.

Examples:
  $ edgewise batch graph.ts ranking --from ./export --write-units 100
  $ edgewise batch graph.ts ranking --path ./data --dry-run`

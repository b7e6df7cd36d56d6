import type { Command } from 'commander'
import { addSchemaOptions, parseFolder } from '../options.js'
import { aboveZero, engineOption, repeated, resultsOption, withSource } from '../options-batch.js'

export function register(program: Command): void {
  const batch = withSource(program.command('batch'))
    .summary('compute summaries and write them to the table')
    .description('Compute the summaries of a job over an export, a dump or the table, and write those that changed.')
    .argument('<job>', 'name of the export of the schema file that is the job')
    .option('--write-units <number>', 'write capacity units per second that the job may use', aboveZero)
    .option('--dry-run', 'compute, compare and show the price, and write nothing')
    .option('--checkpoint <file>', 'save progress in this file, and continue from it')
    .addOption(engineOption())
    .addOption(resultsOption())
    .addHelpText('after', EXAMPLES)
    // Options after the name of a subcommand belong to it.
    .enablePositionalOptions()
    .action(async (file, job, options) => (await import('../run-batch.js')).batchCommand(file, job, options))
  addSchemaOptions(batch.command('package'))
    .summary('write a folder that runs jobs on a Spark cluster')
    .description(
      'Write a folder that runs jobs on EMR Serverless, EMR or AWS Glue: a PySpark program, a plan, a README.',
    )
    .argument('[jobs...]', 'names of the exports of the schema file that are jobs')
    .option('--validation', 'also validate all derived data, for edgewise verify --results')
    .requiredOption('--out <folder>', 'folder to write', parseFolder)
    .option(
      '--from <address>',
      'export to read, such as s3://bucket/AWSDynamoDB/01700; repeat it for increments',
      repeated,
    )
    .addHelpText('after', PACKAGE_EXAMPLES)
    .action(async (file, jobs, options) => (await import('../package-batch.js')).packageCommand(file, jobs, options))
}

const EXAMPLES = `
Install DuckDB first: npm install @duckdb/node-api@^1.5.6-r.1
For --engine spark, install Java 17 and PySpark: pip install pyspark
A job is an export such as
  export const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
A second run with the same export writes nothing.

Examples:
  $ edgewise batch graph.ts ranking --from ./export --write-units 100
  $ edgewise batch graph.ts ranking --path ./data --dry-run
  $ edgewise batch graph.ts ranking --from ./export --engine spark
  $ edgewise batch package graph.ts ranking --out ./job
  $ edgewise batch graph.ts ranking --results ./results --write-units 100`

const PACKAGE_EXAMPLES = `
The README of the folder has the commands that run it. Bring the results back
with edgewise batch --results.

Examples:
  $ edgewise batch package graph.ts ranking communities --out ./job
  $ edgewise batch package graph.ts --validation --out ./check
  $ edgewise batch package graph.ts ranking --out ./job --from s3://backups/AWSDynamoDB/01700`

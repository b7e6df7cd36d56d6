import { type Command, Option } from 'commander'
import { withSource } from '../options-batch.js'

export function register(program: Command): void {
  withSource(program.command('sql'))
    .summary('query an export or a table with SQL')
    .description('Query the nodes and edges of an export, a dump or a table with SQL. Every type is a view.')
    .argument('<statement>', 'SQL statement, or - to read it from standard input')
    .addOption(
      new Option('--format <name>', 'output format; parquet needs --output')
        .choices(['table', 'csv', 'json', 'parquet'])
        .default('table'),
    )
    .option('--output <file>', 'file to write the rows to')
    .addHelpText('after', EXAMPLES)
    .action(async (file, statement, options) => (await import('../sql.js')).sqlCommand(file, statement, options))
}

const EXAMPLES = `
Install DuckDB first: npm install @duckdb/node-api@^1.5.6-r.1
Views: one per type, physical.items, and physical."GSI1" for each index.
The format json writes one row per line.

Examples:
  $ edgewise sql graph.ts --from ./export "select name, cast from movie"
  $ edgewise sql graph.ts --from ./full --from ./monday "select count(*) from role"
  $ edgewise sql graph.ts --path ./data --format csv 'select * from "user"'
  $ edgewise sql graph.ts --from ./export --format parquet --output roles.parquet "select * from role"`

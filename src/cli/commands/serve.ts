import { type Command, InvalidArgumentError } from 'commander'
import { parseFolder } from '../options.js'

export function register(program: Command): void {
  program
    .command('serve')
    .description(
      'Serve the embedded engine over HTTP in the protocol of DynamoDB, from memory or from a folder on disk.',
    )
    .summary('serve the embedded engine in the protocol of DynamoDB')
    .option('-p, --port <number>', 'port to listen on; 0 for any free port', parsePort, 8000)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for access from other machines', '127.0.0.1')
    .option('--region <name>', 'region of requests that are signed for no region', 'us-east-1')
    .option(
      '--path <folder>',
      'store the data in this folder; without it, in memory until the process ends',
      parseFolder,
    )
    .option('--exports <folder>', 'folder that stands for S3, for exports and imports of tables', parseFolder)
    .option('--signed', 'accept only requests signed with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
    .option('--cors <origins...>', "let web pages of these origins call the endpoint; '*' for every page", parseList)
    .option(
      '--allow-host <names...>',
      "answer under these host names as well as localhost; '*' for every name",
      parseList,
    )
    .option('--tls-key <file>', 'serve HTTPS with this private key (PEM); requires --tls-cert')
    .option('--tls-cert <file>', 'certificate of the private key (PEM)')
    .option('--lag <ms>', 'show writes in global indexes and streams only after up to this delay', parseWhole)
    .option('--transitions <ms>', 'let tables and indexes take this long to be created and changed', parseWhole)
    .option('--throttle', 'throttle requests above the capacity of a table, a global index or a partition')
    .option('--heat', 'count traffic by partition key; GET /heat returns it unless --signed, and the exit prints it')
    .option('--seed <number>', 'seed of all random choices', parseWhole, 0)
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', EXAMPLES)
    .action(async options => (await import('../serve/command.js')).serveCommand(options))
}

const EXAMPLES = `
Examples:
  $ edgewise serve
  $ aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
  $ edgewise serve --path ./data --exports ./exports
  $ edgewise serve --cors http://localhost:3000
  $ edgewise serve --host 0.0.0.0 --allow-host db.example.com --signed
  $ edgewise serve --lag 500 --throttle --heat
  $ edgewise serve --port 0 --json
  {"url":"http://127.0.0.1:40123","port":40123}`

const PORTS = 65_536

function parseWhole(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('Give a whole number from 0.')
  return number
}

/** The option may be repeated, and may have several values, also separated by commas. */
function parseList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map(value => value.trim())]
}

function parsePort(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number >= PORTS) throw new InvalidArgumentError('Give a whole number from 0 to 65535.')
  return number
}

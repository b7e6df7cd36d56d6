import { type Command, InvalidArgumentError } from 'commander'
import { folder } from '../options.js'

export function register(program: Command): void {
  program
    .command('serve')
    .description("Answer DynamoDB's protocol on a port of this machine, from memory or a folder on disk.")
    .summary("DynamoDB's protocol on a port of this machine")
    .option('-p, --port <number>', 'port to listen on; 0 takes any that is free', port, 8000)
    .option('--host <address>', 'address to listen on; 0.0.0.0 lets other machines in', '127.0.0.1')
    .option('--region <name>', 'region of requests that are signed for none', 'us-east-1')
    .option(
      '--path <folder>',
      'keep everything in this folder on disk; without it, in memory, gone with the process',
      folder,
    )
    .option('--signed', 'answer only what is signed by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment')
    .option('--tls-key <file>', 'serve by HTTPS: a private key, as PEM; with --tls-cert')
    .option('--tls-cert <file>', 'the certificate of that key, as PEM')
    .option('--lag <ms>', 'let global indexes and streams show a write only after up to so many milliseconds', whole)
    .option('--transitions <ms>', 'let tables and indexes take so many milliseconds to be made and changed', whole)
    .option('--throttle', 'throttle what tables, their global indexes and single partitions have no capacity for')
    .option(
      '--heat',
      'count by partition key: GET /heat tells the hottest unless --signed, and they are printed at the end',
    )
    .option('--seed <number>', 'what is left to chance follows from it', whole, 0)
    .option('--json', 'print a line of JSON when ready')
    .addHelpText('after', EXAMPLES)
    .action(async options => (await import('../serve.js')).serveCommand(options))
}

const EXAMPLES = `
Examples:
  $ edgewise serve
  $ aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
  $ edgewise serve --path ./data
  $ edgewise serve --lag 500 --throttle --heat
  $ edgewise serve --port 0 --json
  {"url":"http://127.0.0.1:40123","port":40123}`

const PORTS = 65_536

function whole(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('Give a whole number from 0.')
  return number
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number >= PORTS)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
  return number
}

import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { Failure } from './failure.js'

const FAILED = 1
const MISUSED = 2

/** Runs one command line and answers the exit code: 0 if it did what it was asked, 1 if it failed, 2 if it was misused. */
export async function program(words: readonly string[]): Promise<number> {
  try {
    await commands().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
    return FAILED
  }
}

function commands(): Command {
  const edgewise = new Command('edgewise')
    .description('Graphs and many-to-many relationships in DynamoDB')
    .version(version())
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride()
  edgewise
    .command('serve')
    .description("Answer DynamoDB's protocol on a port of this machine, from memory or a folder on disk.")
    .option('-p, --port <number>', 'port to listen on; 0 takes any that is free', port, 8000)
    .option('--host <address>', 'address to listen on; 0.0.0.0 lets other machines in', '127.0.0.1')
    .option('--region <name>', 'region of requests that are signed for none', 'us-east-1')
    .option('--path <folder>', 'keep everything in this folder on disk; without it, in memory, gone with the process')
    .option('--signed', 'answer only what is signed by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment')
    .option('--json', 'print a line of JSON when ready')
    .addHelpText('after', SERVE_EXAMPLES)
    // Loaded only where it is run, so that no command waits for the code of another.
    .action(async options => (await import('./serve.js')).serveCommand(options))
  return edgewise
}

const SERVE_EXAMPLES = `
Examples:
  $ edgewise serve
  $ aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
  $ edgewise serve --path ./data
  $ edgewise serve --port 0 --json
  {"url":"http://127.0.0.1:40123","port":40123}`

const PORTS = 65_536

function port(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number >= PORTS)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
  return number
}

function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}

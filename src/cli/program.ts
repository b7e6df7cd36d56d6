import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import { failureText, InterruptedFailure, UsageFailure } from './command-failure.js'
import { readManifest } from './package-files.js'
import { StopSignalError } from './terminal/stop-signal.js'

const FAILURE_EXIT_CODE = 1
const USAGE_EXIT_CODE = 2

interface CommandModule {
  register(program: Command): void
}

/**
 * The commands by help heading, in order. Each command module loads on demand, so that a command does not wait for the
 * others.
 */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandModule>>>>> = {
  'Getting started:': { tour: () => import('./commands/tour.js'), init: () => import('./commands/init.js') },
  'Schema:': {
    check: () => import('./commands/check.js'),
    items: () => import('./commands/items.js'),
    explain: () => import('./commands/explain.js'),
    table: () => import('./commands/table.js'),
  },
  'Table:': {
    deploy: () => import('./commands/deploy.js'),
    backfill: () => import('./commands/backfill.js'),
    verify: () => import('./commands/verify.js'),
    repair: () => import('./commands/repair.js'),
    load: () => import('./commands/load.js'),
    dump: () => import('./commands/dump.js'),
  },
  'Batch:': { sql: () => import('./commands/sql.js'), batch: () => import('./commands/batch.js') },
  'Planning:': { advise: () => import('./commands/advise.js') },
  'Server:': { serve: () => import('./commands/serve.js') },
}

const HELP_FOOTER = `
Every command has --help with examples, and --json.
Exit codes: 0 success, 1 failure, 2 incorrect usage, 130 stopped by Ctrl-C.`

/** Runs one command line and returns its exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    await (await createCommands(args[0])).parseAsync(normalizeHelp(args), { from: 'user' })
    return 0
  } catch (thrown) {
    // A command that saves no progress passes the reason of its signal on.
    const error = thrown instanceof StopSignalError ? new InterruptedFailure(thrown.message, thrown) : thrown
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE
    console.error(failureText(error) ?? unexpectedErrorText(error))
    if (error instanceof InterruptedFailure) return error.exitCode
    return error instanceof UsageFailure ? USAGE_EXIT_CODE : FAILURE_EXIT_CODE
  }
}

/** `help` with an unknown command runs that name, which reports an unknown command. */
function normalizeHelp(args: readonly string[]): readonly string[] {
  const [first, commandName = 'help'] = args
  return first !== 'help' || commandName === 'help' || commandName.startsWith('-') || isCommand(commandName)
    ? args
    : [commandName]
}

const unexpectedErrorText = (error: unknown) =>
  `Unexpected error in edgewise. Please report it with this stack trace:\n${error instanceof Error ? error.stack : error}`

/** Loads the named command, or all commands if there is no match. */
async function createCommands(commandName: string | undefined): Promise<Command> {
  const edgewise = new Command('edgewise')
    .description('Graphs and many-to-many relationships in DynamoDB')
    .version(readManifest().version)
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ subcommandTerm: command => command.name(), styleTitle: title => styleText('bold', title) })
    .addHelpCommand(
      new Command('help').argument('[command]').description('show the help of a command').helpGroup('Getting started:'),
    )
    .addHelpText('after', HELP_FOOTER)
    // A command may have subcommands whose options have the names of its own.
    .enablePositionalOptions()
    .exitOverride()
  for (const [heading, group] of Object.entries(COMMANDS)) {
    edgewise.commandsGroup(heading)
    const loadedNames = Object.keys(group).filter(name => commandName === name || !isCommand(commandName))
    for (const name of loadedNames) (await group[name]!()).register(edgewise)
  }
  return edgewise
}

const isCommand = (name: string | undefined) =>
  name !== undefined && Object.values(COMMANDS).some(group => Object.hasOwn(group, name))

import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import { failureText, Interrupted, Misuse } from './failure.js'
import { manifest } from './installed.js'

const FAILED = 1
const MISUSED = 2

interface Registered {
  register(program: Command): void
}

/** By heading of the help, in its order. Each is loaded only where it is asked for, so that none waits for another. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Promise<Registered>>>>> = {
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
  'Planning:': { advise: () => import('./commands/advise.js') },
  'Server:': { serve: () => import('./commands/serve.js') },
}

const MORE = `
Every command has --help with examples, and --json.
Exit codes: 0 success, 1 failure, 2 incorrect usage, 130 stopped by Ctrl-C.`

/** Runs one command line and returns its exit code. */
export async function program(words: readonly string[]): Promise<number> {
  try {
    await (await commands(words[0])).parseAsync(asked(words), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
    console.error(failureText(error) ?? unforeseen(error))
    if (error instanceof Interrupted) return error.exitCode
    return error instanceof Misuse ? MISUSED : FAILED
  }
}

/** Help for a command that is none is asked of the name itself, which is then told to be unknown. */
function asked(words: readonly string[]): readonly string[] {
  const [first, named = 'help'] = words
  return first !== 'help' || named === 'help' || named.startsWith('-') || isCommand(named) ? words : [named]
}

const unforeseen = (error: unknown) =>
  `Unexpected error in edgewise. Please report it with this stack trace:\n${error instanceof Error ? error.stack : error}`

/** The command that is named, or all where none is. */
async function commands(named: string | undefined): Promise<Command> {
  const edgewise = new Command('edgewise')
    .description('Graphs and many-to-many relationships in DynamoDB')
    .version(manifest().version)
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ subcommandTerm: command => command.name(), styleTitle: title => styleText('bold', title) })
    .addHelpCommand(
      new Command('help').argument('[command]').description('show the help of a command').helpGroup('Getting started:'),
    )
    .addHelpText('after', MORE)
    .exitOverride()
  for (const [heading, group] of Object.entries(COMMANDS)) {
    edgewise.commandsGroup(heading)
    const asked = Object.keys(group).filter(name => named === name || !isCommand(named))
    for (const name of asked) (await group[name]!()).register(edgewise)
  }
  return edgewise
}

const isCommand = (name: string | undefined) =>
  name !== undefined && Object.values(COMMANDS).some(group => Object.hasOwn(group, name))

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
  'To begin:': { tour: () => import('./commands/tour.js'), init: () => import('./commands/init.js') },
  'A schema, in a file:': {
    check: () => import('./commands/check.js'),
    items: () => import('./commands/items.js'),
    explain: () => import('./commands/explain.js'),
    table: () => import('./commands/table.js'),
  },
  'A table:': {
    deploy: () => import('./commands/deploy.js'),
    backfill: () => import('./commands/backfill.js'),
    verify: () => import('./commands/verify.js'),
    repair: () => import('./commands/repair.js'),
    load: () => import('./commands/load.js'),
    dump: () => import('./commands/dump.js'),
  },
  'A decision:': { advise: () => import('./commands/advise.js') },
  'An endpoint:': { serve: () => import('./commands/serve.js') },
}

const MORE = `
Every command has --help with examples, and --json.
It exits with 0 when it is done, 1 when it failed, 2 when it was misused.`

/** Runs one command line and answers the exit code: 0 if it did what it was asked, 1 if it failed, 2 if it was misused. */
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
  `edgewise failed as it should not have; please report it with this:\n${error instanceof Error ? error.stack : error}`

/** The command that is named, or all where none is. */
async function commands(named: string | undefined): Promise<Command> {
  const edgewise = new Command('edgewise')
    .description('Graphs and many-to-many relationships in DynamoDB')
    .version(manifest().version)
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({ subcommandTerm: command => command.name(), styleTitle: title => styleText('bold', title) })
    .addHelpCommand(new Command('help').argument('[command]').description('explain a command').helpGroup('To begin:'))
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

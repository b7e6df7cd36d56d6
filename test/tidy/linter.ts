import { leftOf, type Rooms } from './rooms.js'

interface Override {
  includes: string[]
  linter?: { rules?: { style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } } } }
}

/** Entries of the package that are a file of `src`, not a folder. */
const ENTRIES = ['index', 'embedded']

/** Where the linter's import rules in biome.json differ from what the drawing forbids. */
export function misruledRooms(rooms: Rooms, configuration: { overrides: Override[] }): string[] {
  const folders = [...rooms.keys()].filter(name => !ENTRIES.includes(name))
  return [...rooms.keys()].flatMap(name => {
    const allowed = leftOf(rooms, name).add(name)
    const drawn = folders.filter(other => !allowed.has(other)).map(other => `**/${other}/**`)
    const ruled = forbiddenByLinter(name, configuration.overrides)
    const same = drawn.length === ruled.length && drawn.every(pattern => ruled.includes(pattern))
    return same ? [] : [`the linter forbids ${name} [${ruled.join(', ')}], the drawing [${drawn.join(', ')}]`]
  })
}

function forbiddenByLinter(room: string, overrides: readonly Override[]): string[] {
  const place = ENTRIES.includes(room) ? `src/${room}.ts` : `src/${room}/**`
  return overrides
    .filter(({ includes }) => includes.includes(place))
    .flatMap(({ linter }) => linter?.rules?.style?.noRestrictedImports?.options.patterns ?? [])
    .flatMap(({ group }) => group)
}

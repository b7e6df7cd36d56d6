/** Names that say nothing of what is inside, and so collect everything. */
const BANNED = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'base',
  'shared',
  'lib',
  'core',
])

/** Returns the paths with a banned word in the name of a folder or file. */
export function vagueNames(paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    const banned = words(path).find(word => BANNED.has(word))
    return banned ? [`${path} is named "${banned}"`] : []
  })
}

function words(path: string): string[] {
  return path
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[/._-]/)
}

/** Whole file names that are no noun of the field: participles, pronouns, adverbs, prepositions. */
const EMPTY_NAMES: ReadonlySet<string> = new Set(
  (
    'again anew asked asking at-once due found further given gone held kept known later left made met named others own ' +
    'past patched seen sending sides slips taken then there together told torn turned turns under-way unfinished untold ' +
    'waits whole words'
  ).split(' '),
)

/** Paths of files whose name is one of these words alone. */
export function emptyNames(paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    const name = path.split('/').at(-1)!.split('.')[0]!
    return EMPTY_NAMES.has(name) ? [`${path} is named "${name}"`] : []
  })
}

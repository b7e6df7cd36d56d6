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

/** Paths of which a folder or a file has a banned word for its name, or as a part of it. */
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

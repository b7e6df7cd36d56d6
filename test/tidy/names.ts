import type { TextFile } from './files.js'
import { parse, walk } from './syntax.js'

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
    'again agenda anew asked asking at-once chance delay deriving dollars due feed found further gathering given gone ' +
    'gone-side healing held images in-turn installed intake kept kept-file kept-lines known later latest left made ' +
    'met named on-store others others-turn own passing past patched patience reading register same-kept seen sending ' +
    'shares sides slips start taken then there together told torn turned turns types-asked under-way unfinished unowned ' +
    'untold waits whole words work write-whole writing'
  ).split(' '),
)

/** Paths of files whose name is one of these words alone. */
export function emptyNames(paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    const name = path.split('/').at(-1)!.split('.')[0]!
    return EMPTY_NAMES.has(name) ? [`${path} is named "${name}"`] : []
  })
}

/** Old names of the glossary in the writing guide. Each was the name of a declaration that now has a word of the field. */
const OLD_NAMES: ReadonlySet<string> = new Set(
  (
    'Answer Before Closing Connected Deriving Draft Drafted EdgeGiven Ended Given GivenClient Handled Intake Known Late ' +
    'Listener NodeGiven Part Past Removal Renewed Seen Sending Single Thing Traced Turns Waits far given going gone held ' +
    'inTurn isPassing isStray isUntold keepSeconds keepers kept keptAt keptSlots meant meantBy mend mended newPart once ' +
    'patient reckon reckoned refuse refused says seen settled stay strays surroundings there told toldOf untilSettled'
  ).split(' '),
)

/** Old names that a file may declare, because they are the plain word there. */
const OLD_NAME_EXCEPTIONS: ReadonlySet<string> = new Set([
  // A part of the composite id, key or order that a path is declared with.
  'src/schema/types/edge-options.ts Part',
  // A part of the description of an import, at any depth.
  'src/dynamodb/operations/imports.ts Part',
])

/** Exports, declarations at the top level of a file, and type parameters with an old name of the glossary. */
export function oldNames(file: TextFile): string[] {
  const { program, lineOf } = parse(file)
  const found: string[] = []
  const report = (name: string, start: number) => {
    if (OLD_NAMES.has(name) && !OLD_NAME_EXCEPTIONS.has(`${file.path} ${name}`))
      found.push(`${file.path}:${lineOf(start)} declares "${name}", an old name; use the glossary's new one`)
  }
  for (const { declaration, specifiers = [], start, ...statement } of topLevelStatements(program)) {
    const { id, declarations = [] } = declaration ?? statement
    for (const declared of [id, ...declarations.map(each => each.id)]) if (declared?.name) report(declared.name, start)
    for (const { type, exported } of specifiers) if (type === 'ExportSpecifier') report(exported?.name ?? '', start)
  }
  walk(program, node => {
    if (node.type === 'TSTypeParameter') report(node.name.name, node.start)
  })
  return found
}

interface NamedDeclaration {
  readonly id?: { readonly name?: string } | null
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[]
}

interface TopLevelStatement extends NamedDeclaration {
  readonly start: number
  readonly declaration?: NamedDeclaration | null
  readonly specifiers?: readonly { readonly type: string; readonly exported?: { readonly name?: string } }[]
}

function topLevelStatements(program: unknown): readonly TopLevelStatement[] {
  return (program as { readonly body: readonly TopLevelStatement[] }).body
}

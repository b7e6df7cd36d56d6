import { describe, expect, it } from 'vitest'
import { unexplainedEscapes } from './tidy/escapes.js'
import { ambiguousNames } from './tidy/exported-names.js'
import { repositoryFiles } from './tidy/files.js'
import { forbiddenImports, parsePackages } from './tidy/imports.js'
import { longFiles, longFunctions, misplacedGeneratedFiles, wideCode } from './tidy/lengths.js'
import { missingFromLock } from './tidy/lock.js'
import { machineTraces } from './tidy/machines.js'
import { deadMentions } from './tidy/mentions.js'
import { malformedMessages } from './tidy/messages.js'
import { emptyNames, oldNames, vagueNames } from './tidy/names.js'
import { newerTypes } from './tidy/newer-types.js'
import { emptinessTests, unknownPredicates, wordListPatterns } from './tidy/predicates.js'
import { bannedPhrases, longSentences, titlesWithoutSubject } from './tidy/prose.js'
import { confusingFolders, misdrawnRooms, parseRooms } from './tidy/rooms.js'
import { silentSkips } from './tidy/skips.js'

interface Compiler {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> }
}

const files = repositoryFiles()
const within = (folders: string) => new RegExp(`^(?:${folders})/.*\\.(?:ts|js)$`)
const select = (folders: string) => files.filter(file => within(folders).test(file.path))
const source = select('src')
const code = select('src|test|bench|tools|\\.ci')
const textOf = (path: string) => files.find(file => file.path === path)!.text

describe('the repository is tidy', () => {
  it('has no file that is too long', () => {
    expect(longFiles(code)).toEqual([])
  })

  it('marks generated files with an existing script, all in folders of their own', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object }
    expect(misplacedGeneratedFiles(code, new Set(Object.keys(scripts)))).toEqual([])
  })

  it('has no function that is too long', () => {
    expect(code.flatMap(longFunctions)).toEqual([])
  })

  it('has no file or folder with a vague name', () => {
    expect(vagueNames(code.map(file => file.path))).toEqual([])
  })

  it('has no skipped test without a reason', () => {
    expect(select('test').flatMap(silentSkips)).toEqual([])
  })

  it('has no compiler or linter escape without an explanation', () => {
    expect(source.flatMap(unexplainedEscapes)).toEqual([])
  })

  it('has no error message without a subject, a problem or advice', () => {
    // Messages of the contract's cases are read by authors of stores, in the report of a test.
    const thrown = source.filter(({ path }) => !path.startsWith('src/contract/'))
    expect(thrown.flatMap(malformedMessages)).toEqual([])
  })

  it('uses no type that is unknown to supported compilers in declarations', () => {
    expect(source.flatMap(newerTypes)).toEqual([])
  })

  it('names no machine and no registry', () => {
    expect(files.flatMap(machineTraces)).toEqual([])
  })

  it('names only existing files in its documents', () => {
    const paths = files.map(file => file.path)
    const documents = files.filter(file => file.path.endsWith('.md'))
    expect(documents.flatMap(document => deadMentions(document, paths))).toEqual([])
  })

  it('locks the packages of every platform', () => {
    expect(missingFromLock(JSON.parse(textOf('package-lock.json')))).toEqual([])
  })
})

describe('the words of the repository follow the writing guide', () => {
  const documents = files.filter(file => file.path.endsWith('.md'))

  it('documents, messages, comments and titles have no banned phrase', () => {
    expect([...documents, ...code].flatMap(bannedPhrases)).toEqual([])
  })

  it('titles of tests begin with a subject', () => {
    expect(code.flatMap(titlesWithoutSubject)).toEqual([])
  })

  it('documents have no sentence over 25 words and no table cell over 200 characters', () => {
    expect(documents.flatMap(longSentences)).toEqual([])
  })

  it('code of the pages fits into 80 columns', () => {
    expect(documents.filter(({ path }) => path.startsWith('docs/')).flatMap(wideCode)).toEqual([])
  })

  it('each exported name has one meaning', () => {
    expect(ambiguousNames(source)).toEqual([])
  })

  it('each file is named by a noun or a verb with its object', () => {
    expect(emptyNames(code.map(file => file.path))).toEqual([])
  })

  it('no declaration has an old name of the glossary', () => {
    expect(source.flatMap(oldNames)).toEqual([])
  })

  it('predicates return boolean, and no pattern lists words that a Set could hold', () => {
    expect(source.flatMap(unknownPredicates)).toEqual([])
    expect(source.flatMap(wordListPatterns)).toEqual([])
  })

  it('a list is tested for emptiness by its length', () => {
    // Ten places in these rooms still read the first element.
    const remaining = /^src\/(?:batch|graph\/traversal|plan|traverse)\//
    expect(source.filter(({ path }) => !remaining.test(path)).flatMap(emptinessTests)).toEqual([])
  })
})

describe('the entries of the package', () => {
  it('match the paths by which the compiler finds their sources', () => {
    const { exports } = JSON.parse(textOf('package.json')) as { exports: Record<string, string> }
    const { paths } = (JSON.parse(textOf('tsconfig.json')) as Compiler).compilerOptions
    const sourceOf = (entry: string) =>
      paths[entry]?.[0] ?? paths['edgewise/*']![0]!.replace('*', entry.slice('edgewise/'.length))
    const entries = Object.entries(exports).filter(([, file]) => file.startsWith('./dist/'))
    const expected = entries.map(([entry, file]) => [
      entry.replace('.', 'edgewise'),
      file.replace('./dist/', './src/').replace(/\.js$/, '.ts'),
    ])
    expect(entries.map(([entry]) => entry.replace('.', 'edgewise')).map(entry => [entry, sourceOf(entry)])).toEqual(
      expected,
    )
    expect(expected.filter(([, file]) => !files.some(({ path }) => `./${path}` === file))).toEqual([])
  })
})

describe('the rooms match the drawing in ARCHITECTURE.md', () => {
  const drawing = textOf('ARCHITECTURE.md')
  const rooms = parseRooms(drawing)
  const packages = parsePackages(drawing)
  const paths = source.map(file => file.path)

  it('draws every folder, and otherwise only planned rooms', () => {
    expect(misdrawnRooms(rooms, paths)).toEqual([])
  })

  it('has no folder inside a room with the name of a room', () => {
    expect(confusingFolders(rooms, paths)).toEqual([])
  })

  it('imports only rooms to the left, and packages only where they are listed', () => {
    expect(source.flatMap(file => forbiddenImports(rooms, packages, file))).toEqual([])
  })

  it('lists every dependency of the package, and no other', () => {
    const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
    const { dependencies, peerDependencies, devDependencies } = manifest
    const installed = Object.keys({ ...dependencies, ...peerDependencies })
    const bundled = [...packages.keys()].filter(name => packages.get(name)!.join() === 'cli')
    expect([...packages.keys()].sort()).toEqual([...installed, ...bundled].sort())
    // The build puts what only the command line needs into its bundle, so nobody may have to install it.
    expect(bundled.filter(name => installed.includes(name) || !Object.hasOwn(devDependencies!, name))).toEqual([])
  })
})

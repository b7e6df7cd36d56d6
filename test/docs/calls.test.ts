import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

const pages = readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
const documents = pages
  .filter(name => name.endsWith('.md'))
  .map(name => textOf(`docs/${name}`))
  .join('\n')
const everything = `${documents}\n${textOf('README.md')}`

/** Whether a name occurs in code, as a call, a member or a plain identifier. */
const isNamed = (name: string, text: string) =>
  new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w])`).test(
    Array.from(text.matchAll(/```.*?```|`[^`\n]+`/gs), ([code]) => code).join('\n'),
  )

/** Members of the interfaces of a file: `name(`, `name<`, `readonly name:`. */
const membersIn = (path: string) =>
  Array.from(textOf(path).matchAll(/^ {2}(?:readonly )?(\$?[a-z]\w*)(?:[(<]|\??:)/gm), ([, name]) => name!)

const TYPES = 'src/graph/types/'
/** Members that exist only for the compiler. */
const INTERNAL = new Set(['single', 'at', 'isCheck'])

/** Interfaces whose members are options that someone may give. */
const OPTIONS = [
  ['OpenOptions', 'src/graph/open.ts'],
  ['Caps', 'src/graph/context.ts'],
  ['TraceEvent', 'src/graph/context.ts'],
  ['TraceEnd', 'src/graph/context.ts'],
  ['NodeOptions', 'src/schema/node.ts'],
  ['NodePathOptions', 'src/schema/node.ts'],
  ['EdgeOptions', 'src/schema/types/edge-options.ts'],
  ['EdgePathOptions', 'src/schema/types/edge-options.ts'],
  ['CarryOptions', 'src/schema/types/edge-options.ts'],
  ['PhysicalLayoutOptions', 'src/layout/options.ts'],
  ['ProductionOptions', 'src/table/production/production.ts'],
  ['EngineOptions', 'src/engine/engine.ts'],
  ['ServeOptions', 'src/http/serve-options.ts'],
  ['FaultyOptions', 'src/store/faulty.ts'],
  ['BackoffOptions', 'src/store/backoff.ts'],
  ['BackfillOptions', 'src/jobs/backfill/backfill.ts'],
] as const

const { exports } = JSON.parse(textOf('package.json')) as { exports: Record<string, string> }
const ENTRIES = Object.entries(exports)
  .filter(([, file]) => file.endsWith('.js'))
  .map(([name, file]) => [name.replace('.', 'edgewise'), file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')]) as [
  string,
  string,
][]

describe('the documents name', () => {
  it.each(readdirSync(new URL(TYPES, ROOT)))('every member of %s', file => {
    const missing = membersIn(TYPES + file).filter(name => !INTERNAL.has(name) && !isNamed(name, documents))
    expect([...new Set(missing)]).toEqual([])
  })

  it.each(OPTIONS)('every option of %s in %s', (name, path) => {
    const found = new RegExp(`interface ${name}\\b[^{]*\\{\\n.*?^\\}`, 'ms').exec(textOf(path))![0]
    const options = Array.from(found.matchAll(/^ {2}readonly (\w+)/gm), ([, option]) => option!)
    expect(options.length).toBeGreaterThan(0)
    expect(options.filter(option => !isNamed(option, everything))).toEqual([])
  })

  it.each(ENTRIES)('every value that %s exports', (_, path) => {
    const exported = Array.from(textOf(path).matchAll(/^export \{([^}]*)\}/gm), ([, list]) => list!)
    const names = exported.flatMap(list => list.split(',')).map(name => name.trim())
    const values = names.filter(name => name !== '' && !name.startsWith('type '))
    expect(values.filter(name => !isNamed(name, everything))).toEqual([])
  })

  it('every entry of the package, and every command', () => {
    const commands = readdirSync(new URL('src/cli/commands/', ROOT)).map(file => `edgewise ${file.slice(0, -3)}`)
    const names = [...ENTRIES.map(([name]) => name), ...commands]
    expect(names.filter(name => !everything.includes(name))).toEqual([])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

const pages = readdirSync(new URL('docs/', ROOT)).filter(name => name.endsWith('.md'))
const documents = pages.map(name => textOf(`docs/${name}`)).join('\n')
const everything = `${documents}\n${textOf('README.md')}`

/** Whether a name stands in code, as a call, a member or by itself. */
const isNamed = (name: string, text: string) =>
  new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w])`).test(
    Array.from(text.matchAll(/```.*?```|`[^`\n]+`/gs), ([code]) => code).join('\n'),
  )

/** Members of the interfaces of a file: `name(`, `name<`, `readonly name:`. */
const membersIn = (path: string) =>
  Array.from(textOf(path).matchAll(/^ {2}(?:readonly )?(\$?[a-z]\w*)(?:[(<]|\??:)/gm), ([, name]) => name!)

const TYPES = 'src/graph/types/'
/** What is there for the compiler only. */
const INTERNAL = new Set(['single', 'at'])

describe('the documents name', () => {
  it.each(readdirSync(new URL(TYPES, ROOT)))('every member of %s', file => {
    const missing = membersIn(TYPES + file).filter(name => !INTERNAL.has(name) && !isNamed(name, documents))
    expect([...new Set(missing)]).toEqual([])
  })

  it('every option of open and of backfill, and all that a listener is told', () => {
    const options = /interface (?:OpenOptions|BackfillOptions|Caps|Traced|Ended) \{.*?^\}/gms
    const files = ['src/graph/open.ts', 'src/graph/context.ts', 'src/jobs/backfill.ts']
    const found = files.flatMap(path => textOf(path).match(options) ?? [])
    const names = found.flatMap(text => Array.from(text.matchAll(/^ {2}readonly (\w+)/gm), ([, name]) => name!))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter(name => !isNamed(name, documents))).toEqual([])
  })

  it('every value that the package exports', () => {
    const exported = Array.from(textOf('src/index.ts').matchAll(/^export \{([^}]*)\}/gm), ([, list]) => list!)
    const names = exported.flatMap(list => list.split(',')).filter(name => !name.trim().startsWith('type '))
    expect(names.map(name => name.trim()).filter(name => !isNamed(name, everything))).toEqual([])
  })
})

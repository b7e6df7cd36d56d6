import { describe, expect, it } from 'vitest'
import { unexplainedEscapes } from './escapes.js'
import { longFiles, longFunctions } from './lengths.js'
import { missingFromLock } from './lock.js'
import { machineTraces } from './machines.js'
import { deadMentions } from './mentions.js'
import { vagueNames } from './names.js'
import { newerTypes } from './newer-types.js'
import { silentSkips } from './skips.js'

const file = (text: string, path = 'src/engine/example.ts') => ({ path, text })
const lines = (count: number) => 'go()\n'.repeat(count)

describe('the check of lengths', () => {
  it('accepts a file of 400 lines and rejects one of 401', () => {
    expect(longFiles([file(lines(400))])).toEqual([])
    expect(longFiles([file(lines(401))])).toEqual(['src/engine/example.ts has 401 lines'])
  })

  it.each([
    ['a function', (body: string) => `function f() {\n${body}}`],
    ['an arrow', (body: string) => `const f = () => {\n${body}}`],
    ['a method', (body: string) => `class A {\nf() {\n${body}}\n}`],
    ['a function with braces in its texts', (body: string) => `function f() {\nlog('}')\nlog(/}/, \`}\`)\n${body}}`],
  ])('measures %s', (_, wrap) => {
    expect(longFunctions(file(wrap(lines(60))))).toEqual([])
    expect(longFunctions(file(wrap(lines(70))))).toEqual([expect.stringMatching(/:\d has a function of 7\d lines$/)])
  })

  it('counts the lines from the first to the last', () => {
    expect(longFunctions(file(`function f() {\n${lines(68)}}`))).toEqual([])
    expect(longFunctions(file(`\nfunction f() {\n${lines(69)}}`))).toEqual([
      'src/engine/example.ts:2 has a function of 71 lines',
    ])
  })

  it('measures the tests in a suite, not the suite', () => {
    expect(longFunctions(file(`describe('it', () => {\n${lines(90)}})`))).toEqual([])
    expect(longFunctions(file(`describe.each([1])('it', () => {\n${lines(90)}})`))).toEqual([])
    expect(longFunctions(file(`describe('it', () => {\nit('is', () => {\n${lines(90)}})\n})`))).toHaveLength(1)
  })
})

describe('the check of names', () => {
  it.each([
    'src/utils/a.ts',
    'src/engine/helpers.ts',
    'src/engine/key-helpers.ts',
    'src/tableManager.ts',
    'test/Base.ts',
  ])('refuses %s', path => {
    expect(vagueNames([path])).toHaveLength(1)
  })

  it('accepts words that only contain a banned word', () => {
    expect(vagueNames(['src/engine/database.ts', 'src/library/score.ts', 'src/uncommon.ts'])).toEqual([])
  })
})

describe('the check of skips', () => {
  it.each([
    "it.skip('holds', () => {})",
    "it.only('holds', () => {})",
    "it.todo('holds')",
    "test.concurrent.skip('holds', () => {})",
    "describe.skipIf(slow)('it', () => {})",
    "it('holds', { skip: true }, () => {})",
    "describe.each([1])('it', { only: true }, () => {})",
    "xit('holds', () => {})",
    "it('holds', ({ skip }) => skip())",
    "it('holds', context => context.skip(''))",
    "it('holds', context => context.skip(true))",
  ])('refuses %s', text => {
    expect(silentSkips(file(text))).toHaveLength(1)
  })

  it.each([
    "it('holds', context => context.skip('needs a table of two regions'))",
    "it('holds', ({ skip }) => skip(slow, 'the store is slow'))",
    'it(entry.name, context => context.skip(entry.reason))',
    "it('skips what was only read', { timeout: 1 }, () => {})",
  ])('takes %s', text => {
    expect(silentSkips(file(text))).toEqual([])
  })
})

describe('the check of compiler escapes', () => {
  it.each([
    'let a: any',
    'let a = b as any[]',
    '// @ts-ignore\ngo()',
    '/* @ts-nocheck */\ngo()',
    '// @ts-expect-error\ngo()',
    '// biome-ignore lint/style/useConst: <explanation>\nlet a = 1',
    '// biome-ignore lint/suspicious/noExplicitAny: the types of others are so\n\nlet a: any',
  ])('refuses %j', text => {
    expect(unexplainedEscapes(file(text))).toHaveLength(1)
  })

  it.each([
    '// biome-ignore lint/suspicious/noExplicitAny: the types of others are so\nlet a: any',
    '// @ts-expect-error the second argument must not compile\ngo()',
    "const any = 'any'",
  ])('accepts %j', text => {
    expect(unexplainedEscapes(file(text))).toEqual([])
  })
})

describe('the check of machines', () => {
  const path = (...folders: string[]) => ['', ...folders].join('/')
  const host = (...parts: string[]) => parts.join('.')

  it.each([
    `see ${path('work', 'notes.md')}`,
    `"${path('tmp', 'a')}"`,
    `at ${path('home', 'ann', 'x')}`,
    `"https://${host('registry', 'example', 'org')}/a.tgz"`,
    `http://${host('10', '0', '0', '1')}:80`,
  ])('refuses %j', text => {
    expect(machineTraces(file(`first\n${text}`))).toEqual([expect.stringMatching(/:2 names /)])
  })

  it.each(['src/work/notes.md', 'network/root/a', 'http://127.0.0.1:8000', 'a registry of names'])(
    'accepts %j',
    text => {
      expect(machineTraces(file(text))).toEqual([])
    },
  )
})

describe('the check of the lock', () => {
  it('finds a missing package of another platform', () => {
    const packages = { 'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } } }
    expect(missingFromLock({ packages: { ...packages, 'node_modules/a-linux': {} } })).toEqual(['a-darwin'])
  })
})

describe('the check of documents', () => {
  it('finds the name of a missing file', () => {
    const document = file(
      'In `keys/key-schema.ts`, `src/index.ts` and `keys/gone.ts`; `npm test`, `big.js`.',
      'README.md',
    )
    const paths = ['src/engine/keys/key-schema.ts', 'src/index.ts']
    expect(deadMentions(document, paths)).toEqual(['README.md names keys/gone.ts'])
  })
})

describe('the check of types that older compilers do not know', () => {
  it('finds them, but not similar names', () => {
    expect(newerTypes(file('values(): MapIterator<Thing>'))).toEqual(['src/engine/example.ts:1 names MapIterator'])
    expect(newerTypes(file('const bytes: Uint8Array = new KeyMapIterators()'))).toEqual([])
  })
})

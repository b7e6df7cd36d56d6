import { describe, expect, it } from 'vitest'
import { subjectFault } from '../../.ci/commit-subject.js'
import { ambiguousNames } from './exported-names.js'
import { wideCode } from './lengths.js'
import { malformedMessages } from './messages.js'
import { emptyNames, oldNames } from './names.js'
import { emptinessTests, unknownPredicates, wordListPatterns } from './predicates.js'
import { bannedPhrases, longSentences, titlesWithoutSubject } from './prose.js'

const document = (text: string) => ({ path: 'docs/page.md', text })
const source = (text: string, path = 'src/graph/call.ts') => ({ path, text })

/** The "before" texts of the writing guide, each in a file of its place. */
const BEFORE: readonly (readonly [place: string, text: string])[] = [
  ['document', 'The price is told.'],
  ['document', 'what others broke is found and mended'],
  ['document', 'A write whose answer got lost is settled; a token makes it happen once.'],
  ['document', 'the parameters from before expressions'],
  ['document', 'data that fits in memory and may go'],
  ['document', 'What is there: today'],
  ['message', "role: it has 'movie' twice: rename one"],
  ['message', 'user ann has the email of another: give another'],
  ['message', 'others changed it each time: try later'],
  ['message', "a part of wrote cannot be named 'by': that is taken"],
  ['message', 'nothing answers: start it, or mend the endpoint: connect ECONNREFUSED'],
  ['message', 'nothing answers: start it'],
  ['message', 'user ann stays: another call keeps it'],
  ['message', 'look for what is not as it should be'],
  ['message', 'mend what is not as it should be'],
  ['message', 'To begin:'],
  ['message', 'A schema, in a file:'],
  ['message', 'A table:'],
  ['message', 'A decision:'],
  ['message', 'An endpoint:'],
  ['message', 'Together 1 request, reckoned with 20 items of 500 bytes'],
  ['document', 'What cannot be is refused with a code; most mistakes your editor shows already.'],
  [
    'document',
    'A call that is made and neither awaited, explained nor handed on is warned about when it is collected.',
  ],
  ['comment', 'Answers with the row as it is then.'],
  ['comment', 'ends the call when it has taken so long'],
  ['comment', "Marked anew, it was there in between, and what came to it then is the other call's."],
  ['comment', 'What a consumer writes asks for more at most so often, less one.'],
  ['title', 'is twice of an undirected edge of a node with itself'],
]

function fileWith(place: string, text: string) {
  if (place === 'document') return document(text)
  if (place === 'comment') return source(`/** ${text} */\nexport const count = 1`)
  if (place === 'message') return source(`throw new Error(${JSON.stringify(text)})`)
  return source(`it('${text}', () => {})`, 'test/graph/counters.test.ts')
}

describe('the examples of the writing guide', () => {
  it.each(BEFORE)('the checks find the old text of a %s: %s', (place, text) => {
    const file = fileWith(place, text)
    expect([...bannedPhrases(file), ...titlesWithoutSubject(file)]).not.toEqual([])
  })

  it('the check of commits finds a subject that is a sentence, too long, or without an area', () => {
    const before = 'Of two where() that give the same part, as since and until in turn, the later alone was read by'
    expect(subjectFault(before)).toBe('has 95 characters, more than 72')
    expect(subjectFault('Reject duplicate parts across where() calls')).toMatch('is not of the form')
    expect(subjectFault('graph: Rejects duplicate parts.')).toMatch('is not of the form')
    expect(subjectFault('graph: reject duplicate parts across where() calls')).toBeUndefined()
    expect(subjectFault('plan: move size checks out of pricing')).toBeUndefined()
  })
})

describe('the check of banned phrases', () => {
  it.each([
    ['a document', document('The price is told.')],
    ['a document', document('what others broke is found and mended')],
    ['a table', document('| nodes | what there is none of |\n| edges | those that there are |')],
    ['a message', source("throw new Error('others changed it each time it was to be mended: try later')")],
    ['a command', source("command.description('look for what is not as it should be, whoever wrote it')")],
    ['an explanation', source('const line = `Together 1 request, reckoned with 20 items`')],
    ['a comment', source('// Marked anew, it was there in between.\nexport const mark = 1')],
    ['documentation in code', source('/** Tells of which edges a node keeps count. */\nexport const count = 1')],
    ['a title', source("it('is twice of an edge, beside the other', () => {})", 'test/graph/counters.test.ts')],
  ])('finds one in %s', (_, file) => {
    expect(bannedPhrases(file)).not.toEqual([])
  })

  it.each([
    'You see the price of every call.',
    'damage by other writers is detected and repaired',
    'If the response to a write is lost, edgewise finds out whether it was applied. A token makes the write idempotent.',
    'the legacy parameters',
    'data that fits in memory and that you can afford to lose',
    "edge 'role': attribute 'movie' has the same name as one of its ends; rename the attribute",
    "user 'ann': this email is already taken",
    'gave up after 10 attempts because the item kept changing; retry later',
    "cannot connect to DynamoDB (ECONNREFUSED); check that it is running and that 'endpoint' is correct",
    'Invalid input is rejected with an error code. Your editor catches most mistakes.',
    'The mark changed, so the node was deleted and re-created; its new edges belong to the other call.',
    'the folder is not empty; give another folder',
    'Each step lists its cost, and what cannot be changed. A row may go to another partition.',
    'Compare the answers with a second computation. Rows from before the declaration have no value.',
    'A table: the keys, the attributes and the indexes.',
  ])('accepts %s', text => {
    expect(bannedPhrases(document(text))).toEqual([])
  })

  it('accepts plain sentences and code', () => {
    expect(bannedPhrases(document('The consumer reads the current item. `told` is code.'))).toEqual([])
    expect(bannedPhrases(source('// The mark changed, so another call owns the node.\nexport const mend = 1'))).toEqual(
      [],
    )
  })
})

describe('the check of titles', () => {
  const test = (title: string) => source(`it.each(cases)('${title}', () => {})`, 'test/graph/counters.test.ts')

  it('finds a title that begins with a verb or a pronoun', () => {
    for (const title of ['is rejected', 'are read %s', 'it reads', 'what is read', 'was read'])
      expect(titlesWithoutSubject(test(title))).toHaveLength(1)
  })

  it('accepts a title with a subject, and texts that are no titles', () => {
    expect(titlesWithoutSubject(test('a node is rejected'))).toEqual([])
    expect(titlesWithoutSubject(test('items are read'))).toEqual([])
    expect(titlesWithoutSubject(source("const text = 'is rejected'", 'test/graph/counters.test.ts'))).toEqual([])
  })
})

describe('the check of code in pages', () => {
  it('finds a line of TypeScript with more than 80 columns, and no line of other blocks', () => {
    const wide = `const name = '${'x'.repeat(80)}'`
    expect(wideCode(document(`\`\`\`ts\n${wide}\n\`\`\`\n`))).toHaveLength(1)
    expect(wideCode(document(`\`\`\`text\n${wide}\n\`\`\`\n${wide}\n`))).toEqual([])
  })
})

describe('the check of sentences and cells', () => {
  it('finds a sentence of more than 25 words and a cell of more than 200 characters', () => {
    expect(longSentences(document(`${'word '.repeat(26)}end.`))).toHaveLength(1)
    expect(longSentences(document(`A list: ${'word '.repeat(15)}; ${'word '.repeat(15)}.`))).toHaveLength(1)
    expect(longSentences(document(`| ${'cell, '.repeat(40)} |`))).not.toEqual([])
    expect(longSentences(document('A short sentence. Another one.'))).toEqual([])
  })
})

describe('the check of error messages', () => {
  it.each([
    ['lacks a subject', "throw new GraphError('write.exists', 'the movie already exists; use put() or update().')"],
    ['lacks advice', "throw new GraphError(code, 'movie: this movie already exists.')"],
    ['lacks a period', "throw new TypeError('port: 70000 is not a port; give a port')"],
    ['lacks advice in one case', "assertArgument(ok, isEmpty ? 'ids: the list is empty; give ids.' : 'ids: no list')"],
    ['is a constant', "const text = 'no ids'\nassertArgument(ok, text)"],
    ['lacks advice before its helper adds the subject', "throw memberError(code, type, name, 'a value is missing')"],
    ['is of a command', "throw new CommandFailure(file + ' does not exist; give a file')"],
    ['is of the usage of a command', "throw new UsageFailure('--role is the role of a function; add --function.')"],
    ['is of a stopped command', "throw new InterruptedFailure('stopped; ' + advice, error)"],
    ['is returned by a helper', "const toFailure = path => new CommandFailure(path + ': the file is empty.')"],
    ['is no advice on the value of an option', "throw new InvalidArgumentError('A port is a whole number.')"],
    ['is in the table of refusals', "const REFUSAL_TEXTS = { 'write.exists': 'already exists' }"],
  ])('finds one that %s', (_, text) => {
    expect(malformedMessages(source(text))).toHaveLength(1)
  })

  it('accepts complete messages, and texts that are known only at run time', () => {
    const text = "throw new GraphError(code, type + ': a value is missing; give ' + (advice ?? 'one') + '.')"
    expect(malformedMessages(source(`${text}\nthrow new Error(reason)`))).toEqual([])
  })

  it.each([
    "throw new CommandFailure(file + ':' + line + ': the file has a syntax error (' + reason + '); correct it.')",
    "throw new UsageFailure('--role: the option is only for a function; add --function.')",
    "throw new InvalidArgumentError('Give a whole number from 0.')",
    "const toPlacedFailure = (place, message) => new CommandFailure(place + ': ' + message)",
  ])('accepts failures of commands: %s', text => {
    expect(malformedMessages(source(text, 'src/cli/command.ts'))).toEqual([])
  })
})

describe('the checks of names', () => {
  it('finds a file that is named by a participle or an adverb', () => {
    expect(emptyNames(['src/graph/told.ts', 'test/graph/torn.test.ts', 'src/graph/store-errors.ts'])).toHaveLength(2)
  })

  it('finds a file with an old name of the glossary', () => {
    const paths = ['src/derive/patience.ts', 'src/engine/chance.ts', 'src/cli/kept-file.ts', 'src/jobs/same-kept.ts']
    expect(emptyNames(paths)).toHaveLength(paths.length)
    expect(emptyNames(['src/derive/settle/batch-work.ts', 'src/http/start-server.ts'])).toEqual([])
  })

  it('finds declarations and type parameters with an old name of the glossary', () => {
    const old = [
      'export function told() {}',
      'const kept = new Map()',
      'export const [first] = list, keptAt = 1',
      'export interface Part { name: string }',
      'type Answer = string',
      'class Intake {}',
      "export { send as inTurn } from './send.js'",
      'export type Row<Given> = { readonly row: Given }',
      'type First<T> = T extends [infer Seen] ? Seen : never',
    ]
    for (const text of old) expect(oldNames(source(text)), text).toHaveLength(1)
  })

  it('accepts old names of local variables and members, and of listed exceptions', () => {
    expect(oldNames(source('export function countNodes() { const seen = new Set(); return seen.size }'))).toEqual([])
    expect(oldNames(source('export interface Rows { readonly held: number }'))).toEqual([])
    expect(oldNames(source("import { once } from 'node:events'\nexport const rethrowStoreError = once"))).toEqual([])
    expect(oldNames(source('type Order<Part> = readonly Part[]', 'src/schema/types/edge-options.ts'))).toEqual([])
    expect(oldNames(source('type Order<Part> = readonly Part[]', 'src/schema/node.ts'))).toHaveLength(1)
  })

  it('finds a name with two meanings, and accepts a name that is passed on', () => {
    const files = [
      source('export interface Fault { code: string }', 'src/jobs/fault.ts'),
      source('export class Fault {}', 'src/http/fault.ts'),
      source("export { Fault } from './fault.js'", 'src/jobs/index.ts'),
    ]
    expect(ambiguousNames(files)).toEqual(['Fault is declared in src/jobs/fault.ts and src/http/fault.ts'])
    expect(ambiguousNames([files[0]!, files[2]!])).toEqual([])
  })

  it('finds a predicate that returns unknown', () => {
    expect(unknownPredicates(source('export function isLive(row: Row): unknown { return row.life }'))).toHaveLength(1)
    expect(unknownPredicates(source('export function isLive(row: Row): boolean { return row.live }'))).toEqual([])
  })

  it('finds a first element that is read only to learn whether a list is empty', () => {
    for (const text of [
      'if (rows[0]) run()',
      'const found = rows[0] ? 1 : 2',
      'const isEmpty = !parts(type)[0]',
      'const isRead = rows[0] && rows.every(isLive)',
      'const tables = names.filter(name => partsOf(name)[0])',
    ])
      expect(emptinessTests(source(text)), text).toHaveLength(1)
  })

  it('accepts a first element that is read for its value', () => {
    for (const text of [
      'const first = rows[0]',
      'if (rows[0]) run(rows[0])',
      'const key = rows[0] && rows[0].key',
      'const text = isLong ? words[0] : words[1]',
      'if (rows.length > 0) run()',
    ])
      expect(emptinessTests(source(text)), text).toEqual([])
  })

  it('finds a pattern that lists words', () => {
    expect(wordListPatterns(source('if (/^(?:put|delete)$/.test(verb)) run()'))).toHaveLength(1)
    expect(wordListPatterns(source('if (/^[a-z]+$/.test(name)) run()'))).toEqual([])
  })
})

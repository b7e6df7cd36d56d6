import { describe, expect, it } from 'vitest'
import { ambiguousNames } from './exported-names.js'
import { emptyNames } from './names.js'
import { unknownPredicates, wordListPatterns } from './predicates.js'
import { bannedPhrases, longSentences } from './prose.js'

const document = (text: string) => ({ path: 'docs/page.md', text })
const source = (text: string, path = 'src/graph/call.ts') => ({ path, text })

describe('the check of banned phrases', () => {
  // The examples "before" of the writing guide.
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

  it('accepts plain sentences and code', () => {
    expect(bannedPhrases(document('The consumer reads the current item. `told` is code.'))).toEqual([])
    expect(bannedPhrases(source('// The mark changed, so another call owns the node.\nexport const mend = 1'))).toEqual(
      [],
    )
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

describe('the checks of names', () => {
  it('finds a file that is named by a participle or an adverb', () => {
    expect(emptyNames(['src/graph/told.ts', 'test/graph/torn.test.ts', 'src/graph/store-errors.ts'])).toHaveLength(2)
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

  it('finds a pattern that lists words', () => {
    expect(wordListPatterns(source('if (/^(?:put|delete)$/.test(verb)) run()'))).toHaveLength(1)
    expect(wordListPatterns(source('if (/^[a-z]+$/.test(name)) run()'))).toEqual([])
  })
})

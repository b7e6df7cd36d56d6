import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PARTITION_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import type { Automaton } from '../../../src/layout/proof/automaton.js'
import { keyAutomatonOf } from '../../../src/layout/proof/key-automata.js'
import { made } from '../keys/templates.js'
import { KINDS } from '../keys/value-kinds.js'

/** Whether an automaton accepts a text. */
function reads({ positions, next, accepting }: Automaton, text: string): boolean {
  let states = new Set([0])
  for (const character of text)
    states = new Set([...states].flatMap(state => next[state]!.filter(to => positions[to]!.characters.has(character))))
  return [...states].some(state => accepting.has(state))
}

const SOURCES = [
  ['A#{x}', {}],
  ['A#{x}#B', {}],
  ['A#{x}', { raw: true }],
  ['A#{x}|B', { raw: true, separator: '|', fold: 'upper' }],
  ['A#{x}|B', { raw: true, separator: '|', fold: 'lower' }],
] as const

test.each(Object.entries(KINDS))('the proof accepts every key of a %s', (_, { part, values }) => {
  const templates = SOURCES.map(([source, options]) =>
    made(source, { ...options, maxBytes: PARTITION_KEY_BYTES }, { x: part }),
  )
  const languages = templates.map(template => keyAutomatonOf(template))
  fc.assert(
    fc.property(values, x => {
      for (const [at, template] of templates.entries())
        expect(
          reads(languages[at]!, encodeTemplate(template, { x })),
          `${template.source} of ${JSON.stringify(x)}`,
        ).toBe(true)
    }),
  )
})

test.each([
  ['a date', 'date', ['A#', 'A#2026-01-01', 'A#2026-01-01T00:00:00.000Z0']],
  ['a day', 'day', ['A#', 'A#2026-01', 'A#2026-01-01T', 'A#2026/01/01']],
  ['a month', 'yearMonth', ['A#', 'A#2026', 'A#2026-01-01']],
  ['a text of a fixed width', 'fixedText', ['A#', 'A#A$#00', 'A#A$#00$$0', 'A#a$#00$$']],
  ['true or false', 'boolean', ['A#', 'A#tru', 'A#yes']],
  ['bytes', 'binary', ['A#0', 'A#0g', 'A#0A']],
  ['a number of five digits', 'zip', ['A#', 'A#1234', 'A#-12345', 'A#123456']],
  ['a number of three digits and perhaps a sign', 'temperature', ['A#12', 'A#-12', 'A#--123']],
  ['a number', 'number', ['A#', 'A#1', 'A#y1', 'A#y12', 'A#d', 'A#0.', 'A#a1.', 'A#-y8', 'A#z1']],
])('the proof rejects texts that are not keys of a %s', (_, kind, texts) => {
  const language = keyAutomatonOf(made('A#{x}', {}, { x: KINDS[kind]!.part }))
  expect(texts.filter(text => reads(language, text))).toEqual([])
})

import { isBounded, widthOf } from '../key-text.js'
import { ESCAPE, type Slot, type Template } from '../template.js'
import { type Characters, only, type Pattern } from './pattern.js'

const DIGITS = '0123456789'
const INSTANT = '0000-00-00T00:00:00.000Z'

/** What a slot may hold, as the characters that stand in the key. No text that can be written is left out. */
export function slotPattern(template: Template, slot: Slot, filled: boolean): Pattern {
  const { kind, range, values, format } = slot.part
  const owner = { slot: slot.name, mark: false }
  const digit: Pattern = { one: only(DIGITS), owner }
  const one = (characters: string): Pattern => ({ one: only(folded(template, characters)), owner })
  switch (kind) {
    case 'oneOf':
      return { any: values!.map(value => exactly(template, slot, value)) }
    case 'boolean':
      return { any: ['false', 'true'].map(value => exactly(template, slot, value)) }
    case 'date':
      return { all: Array.from(INSTANT, character => (character === '0' ? digit : one(character))) }
    case 'day':
    case 'yearMonth':
    case 'fixedText':
      return { all: format!.positions.map(characters => position(template, slot, characters)) }
    case 'binary':
      return repeated({ all: [one(`${DIGITS}abcdef`), one(`${DIGITS}abcdef`)] }, filled)
    case 'integer':
      if (isBounded(range)) return bounded(range, digit, one)
      return template.mode === 'raw' ? plainNumber(digit, one) : orderedNumber(digit, one)
    case 'number':
    case 'bigint':
    case 'decimal':
      return template.mode === 'raw' ? plainNumber(digit, one) : orderedNumber(digit, one)
    default:
      return repeated(slot.escaped ? escapedCharacter(slot) : { one: freeCharacter(template, slot), owner }, filled)
  }
}

/** A slot that holds this text and no other. */
export function exactly(template: Template, slot: Slot, text: string): Pattern {
  const characters = [...folded(template, text)]
  if (slot.stop !== '' && characters.includes(slot.stop)) return { any: [] }
  return {
    all: characters.flatMap((character): Pattern[] => {
      const itself: Pattern = { one: only(character), owner: { slot: slot.name, mark: false } }
      return slot.escaped && isLow.has(character) ? [mark(slot), itself] : [itself]
    }),
  }
}

/** One position of a text of a fixed width. Only literals can be characters that are escaped, since placeholders are not. */
const position = (template: Template, slot: Slot, characters: string): Pattern =>
  characters.length === 1
    ? exactly(template, slot, characters)
    : { one: only(folded(template, characters)), owner: { slot: slot.name, mark: false } }

const repeated = (pattern: Pattern, filled: boolean): Pattern =>
  filled ? { all: [pattern, { many: pattern }] } : { many: pattern }

const isLow: Characters = { has: character => character <= ESCAPE, named: ESCAPE }
const isHigh: Characters = { has: character => character > ESCAPE, named: '' }

const mark = (slot: Slot): Pattern => ({ one: only(ESCAPE), owner: { slot: slot.name, mark: true } })

function escapedCharacter(slot: Slot): Pattern {
  const owner = { slot: slot.name, mark: false }
  return {
    any: [{ one: isHigh, owner }, { all: [mark(slot), { one: isLow, owner }] }],
  }
}

/** Folding leaves no letter of the other case, at least of the plain ones. */
function freeCharacter({ fold }: Template, { stop }: Slot): Characters {
  const gone = fold === 'upper' ? /[a-z]/ : fold === 'lower' ? /[A-Z]/ : undefined
  return { has: character => character !== stop && !gone?.test(character), named: stop }
}

function folded({ fold }: Template, text: string): string {
  return fold === undefined ? text : fold === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

type One = (characters: string) => Pattern

function bounded({ min, max }: { min: number; max: number }, digit: Pattern, one: One): Pattern {
  const digits: Pattern = { all: Array.from({ length: widthOf(min, max) }, () => digit) }
  return min < 0 ? { any: [digits, { all: [one('-'), digits] }] } : digits
}

const nothing: Pattern = { all: [] }

function plainNumber(digit: Pattern, one: One): Pattern {
  const digits: Pattern = { all: [digit, { many: digit }] }
  const fraction: Pattern = { any: [nothing, { all: [one('.'), digits] }] }
  return { all: [{ any: [nothing, one('-')] }, digits, fraction] }
}

function orderedNumber(digit: Pattern, one: One): Pattern {
  const digits: Pattern = { all: [digit, { many: digit }] }
  const fraction: Pattern = { any: [nothing, { all: [one('.'), digits] }] }
  const length: Pattern = { any: [one('abcdefghijklmnopqrstuvwx'), { all: [one('y'), digit, digit, digit] }] }
  const below: Pattern = { all: [one('-'), one('abcdefghijklmnopqrstuvwxyz'), { many: digit }, fraction, one('~')] }
  return { any: [{ all: [one('0'), fraction] }, { all: [length, digits, fraction] }, below] }
}

import { isBounded, widthOf } from '../keys/key-text-codec.js'
import { ESCAPE, type KeyTemplate, type Slot } from '../keys/template.js'
import { type CharacterPattern, type CharacterSet, characterSetOf } from './automaton.js'

const DIGITS = '0123456789'
const INSTANT = '0000-00-00T00:00:00.000Z'

/** The pattern of the texts that a slot can contain in a key. It covers every text that can be written. */
export function slotPatternOf(template: KeyTemplate, slot: Slot, withoutEmptyParts: boolean): CharacterPattern {
  const { kind, range, values, format } = slot.type
  const owner = { slot: slot.name, mark: false }
  const digit: CharacterPattern = { one: characterSetOf(DIGITS), owner }
  const characterPattern = (characters: string): CharacterPattern => ({
    one: characterSetOf(foldText(template, characters)),
    owner,
  })
  switch (kind) {
    case 'oneOf':
      return { any: values!.map(value => exactSlotPattern(template, slot, value)) }
    case 'boolean':
      return { any: ['false', 'true'].map(value => exactSlotPattern(template, slot, value)) }
    case 'date':
      return { all: Array.from(INSTANT, character => (character === '0' ? digit : characterPattern(character))) }
    case 'day':
    case 'yearMonth':
    case 'fixedText':
      return { all: format!.positions.map(characters => positionPattern(template, slot, characters)) }
    case 'binary':
      return repeatPattern(
        { all: [characterPattern(`${DIGITS}abcdef`), characterPattern(`${DIGITS}abcdef`)] },
        withoutEmptyParts,
      )
    case 'integer':
      if (isBounded(range)) return boundedIntegerPattern(range, digit, characterPattern)
      return template.mode === 'raw'
        ? plainNumberPattern(digit, characterPattern)
        : orderedNumberPattern(digit, characterPattern)
    case 'number':
    case 'bigint':
    case 'decimal':
      return template.mode === 'raw'
        ? plainNumberPattern(digit, characterPattern)
        : orderedNumberPattern(digit, characterPattern)
    default:
      return repeatPattern(
        slot.escaped ? escapedCharacterPattern(slot) : { one: rawCharacterSet(template, slot), owner },
        withoutEmptyParts,
      )
  }
}

/** The pattern of a slot with exactly this text. */
export function exactSlotPattern(template: KeyTemplate, slot: Slot, text: string): CharacterPattern {
  const characters = [...foldText(template, text)]
  if (slot.terminator !== '' && characters.includes(slot.terminator)) return { any: [] }
  return {
    all: characters.flatMap((character): CharacterPattern[] => {
      const literal: CharacterPattern = { one: characterSetOf(character), owner: { slot: slot.name, mark: false } }
      return slot.escaped && ESCAPED_CHARACTERS.has(character) ? [escapePattern(slot), literal] : [literal]
    }),
  }
}

/** The pattern of one position of a text of a fixed width. Only literal characters can need escaping. */
const positionPattern = (template: KeyTemplate, slot: Slot, characters: string): CharacterPattern =>
  characters.length === 1
    ? exactSlotPattern(template, slot, characters)
    : { one: characterSetOf(foldText(template, characters)), owner: { slot: slot.name, mark: false } }

const repeatPattern = (pattern: CharacterPattern, withoutEmptyParts: boolean): CharacterPattern =>
  withoutEmptyParts ? { all: [pattern, { many: pattern }] } : { many: pattern }

const ESCAPED_CHARACTERS: CharacterSet = { has: character => character <= ESCAPE, named: ESCAPE }
const UNESCAPED_CHARACTERS: CharacterSet = { has: character => character > ESCAPE, named: '' }

const escapePattern = (slot: Slot): CharacterPattern => ({
  one: characterSetOf(ESCAPE),
  owner: { slot: slot.name, mark: true },
})

function escapedCharacterPattern(slot: Slot): CharacterPattern {
  const owner = { slot: slot.name, mark: false }
  return {
    any: [{ one: UNESCAPED_CHARACTERS, owner }, { all: [escapePattern(slot), { one: ESCAPED_CHARACTERS, owner }] }],
  }
}

/** The characters of a raw value. Folding removes the ASCII letters of the other case. */
function rawCharacterSet({ fold }: KeyTemplate, { terminator }: Slot): CharacterSet {
  const foldedLetters = fold === 'upper' ? /[a-z]/ : fold === 'lower' ? /[A-Z]/ : undefined
  return { has: character => character !== terminator && !foldedLetters?.test(character), named: terminator }
}

function foldText({ fold }: KeyTemplate, text: string): string {
  return fold === undefined ? text : fold === 'upper' ? text.toUpperCase() : text.toLowerCase()
}

type PatternOfCharacters = (characters: string) => CharacterPattern

function boundedIntegerPattern(
  { min, max }: { min: number; max: number },
  digit: CharacterPattern,
  characterPattern: PatternOfCharacters,
): CharacterPattern {
  const digits: CharacterPattern = { all: Array.from({ length: widthOf(min, max) }, () => digit) }
  return min < 0 ? { any: [digits, { all: [characterPattern('-'), digits] }] } : digits
}

const EMPTY_PATTERN: CharacterPattern = { all: [] }

function plainNumberPattern(digit: CharacterPattern, characterPattern: PatternOfCharacters): CharacterPattern {
  const digits: CharacterPattern = { all: [digit, { many: digit }] }
  const fraction: CharacterPattern = { any: [EMPTY_PATTERN, { all: [characterPattern('.'), digits] }] }
  return { all: [{ any: [EMPTY_PATTERN, characterPattern('-')] }, digits, fraction] }
}

function orderedNumberPattern(digit: CharacterPattern, characterPattern: PatternOfCharacters): CharacterPattern {
  const digits: CharacterPattern = { all: [digit, { many: digit }] }
  const fraction: CharacterPattern = { any: [EMPTY_PATTERN, { all: [characterPattern('.'), digits] }] }
  const length: CharacterPattern = {
    any: [characterPattern('abcdefghijklmnopqrstuvwx'), { all: [characterPattern('y'), digit, digit, digit] }],
  }
  const negative: CharacterPattern = {
    all: [
      characterPattern('-'),
      characterPattern('abcdefghijklmnopqrstuvwxyz'),
      { many: digit },
      fraction,
      characterPattern('~'),
    ],
  }
  return { any: [{ all: [characterPattern('0'), fraction] }, { all: [length, digits, fraction] }, negative] }
}

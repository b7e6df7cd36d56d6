import type { KeyTemplate, Slot } from '../keys/template.js'
import { prefixUpperBound } from '../keys/template-condition.js'
import { ANY_CHARACTER, type Automaton, type CharacterPattern, characterSetOf, toAutomaton } from './automaton.js'
import { exactSlotPattern, slotPatternOf } from './slot-pattern.js'

/** Restricts the keys of a template. */
export interface KeyConstraints {
  /** Excludes keys with empty parts, which make worse examples. */
  readonly withoutEmptyParts?: boolean
  /** Restricts slots to these texts. */
  readonly fixedTexts?: Readonly<Record<string, string>>
}

/** Returns an automaton for all keys that a template can make. */
export function keyAutomatonOf(template: KeyTemplate, constraints: KeyConstraints = {}): Automaton {
  return toAutomaton({ all: slotPatternsOf(template, template.slots.length, constraints) })
}

/**
 * Returns an automaton for all keys that a read can return which gives `slotCount` slots from the left and possibly a
 * range of the next.
 */
export function readAutomatonOf(template: KeyTemplate, slotCount: number, constraints: KeyConstraints = {}): Automaton {
  if (slotCount >= template.slots.length) return keyAutomatonOf(template, constraints)
  const head = slotPatternsOf(template, slotCount, constraints)
  const prefixPattern: CharacterPattern = { all: [...head, { many: { one: ANY_CHARACTER, owner: undefined } }] }
  const upperBound = prefixUpperBound(template.literals[slotCount]!)
  if (upperBound === undefined) return toAutomaton(prefixPattern)
  // A range without an upper bound ends at the least text after all prefixed texts, and would return that text too.
  return toAutomaton({
    any: [prefixPattern, { all: [...head.slice(0, -1), ...literalPatterns(upperBound).slice(-1)] }],
  })
}

/**
 * The number of states of the given parts. They are the first states of both `keyAutomatonOf` and `readAutomatonOf`.
 */
export function countGivenStates(template: KeyTemplate, slotCount: number, constraints: KeyConstraints = {}): number {
  return toAutomaton({ all: slotPatternsOf(template, slotCount, constraints) }).positions.length - 1
}

function slotPatternsOf(
  template: KeyTemplate,
  count: number,
  { withoutEmptyParts = false, fixedTexts = {} }: KeyConstraints,
): CharacterPattern[] {
  const { literals, slots } = template
  const list = literalPatterns(literals[0]!)
  for (const [index, slot] of withDistinctNames(slots).slice(0, count).entries()) {
    const text = fixedTexts[slot.name]
    list.push(
      text === undefined ? slotPatternOf(template, slot, withoutEmptyParts) : exactSlotPattern(template, slot, text),
    )
    list.push(...literalPatterns(literals[index + 1]!))
  }
  return list
}

/** Renames repeated slots, because the texts of slots are collected by name. */
function withDistinctNames(slots: readonly Slot[]): Slot[] {
  const usedNames = new Set<string>()
  return slots.map(slot => {
    const name = usedNames.has(slot.name) ? `${slot.name} again` : slot.name
    usedNames.add(name)
    return { ...slot, name }
  })
}

const literalPattern = (character: string): CharacterPattern => ({ one: characterSetOf(character), owner: undefined })
const literalPatterns = (text: string): CharacterPattern[] => Array.from(text, literalPattern)

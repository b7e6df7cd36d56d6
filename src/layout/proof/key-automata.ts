import type { KeyTemplate, Slot } from '../keys/template.js'
import { prefixUpperBound } from '../keys/template-condition.js'
import { ANY_CHARACTER, type Automaton, type CharacterPattern, characterSetOf, toAutomaton } from './automaton.js'
import { exactSlotPattern, slotPatternOf } from './slot-pattern.js'

/** Which of a template's keys are meant. */
export interface KeyConstraints {
  /** Only those in which no part is empty, which make better examples. */
  readonly withoutEmptyParts?: boolean
  /** Only those with these texts for these slots. */
  readonly fixedTexts?: Readonly<Record<string, string>>
}

/** All keys that a template can make. */
export function keyAutomatonOf(template: KeyTemplate, constraints: KeyConstraints = {}): Automaton {
  return toAutomaton({ all: slotPatternsOf(template, template.slots.length, constraints) })
}

/** All texts that a read sees which gives so many slots of a template from the left, and perhaps a range of the next. */
export function readAutomatonOf(template: KeyTemplate, slotCount: number, constraints: KeyConstraints = {}): Automaton {
  if (slotCount >= template.slots.length) return keyAutomatonOf(template, constraints)
  const head = slotPatternsOf(template, slotCount, constraints)
  const prefixPattern: CharacterPattern = { all: [...head, { many: { one: ANY_CHARACTER, owner: undefined } }] }
  const upperBound = prefixUpperBound(template.literals[slotCount]!)
  if (upperBound === undefined) return toAutomaton(prefixPattern)
  // A range without an upper end stops at the text after all that begin so, and would see it too.
  return toAutomaton({
    any: [prefixPattern, { all: [...head.slice(0, -1), ...literalPatterns(upperBound).slice(-1)] }],
  })
}

/** How many states the parts have that such a read gives; they are the first ones of `keysOf` and of `seenBy`. */
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

/** A slot that stands in the template again is another one here, since what it holds is read by its name. */
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

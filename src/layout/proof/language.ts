import type { Slot, Template } from '../template.js'
import { after } from '../template-condition.js'
import { type Automaton, anything, automaton, only, type Pattern } from './pattern.js'
import { exactly, slotPattern } from './slot-pattern.js'

/** Which of a template's keys are meant. */
export interface Choice {
  /** Only those in which no part is empty, which make better examples. */
  readonly filled?: boolean
  /** Only those with these texts for these slots. */
  readonly pinned?: Readonly<Record<string, string>>
}

/** All keys that a template can make. */
export function keysOf(template: Template, choice: Choice = {}): Automaton {
  return automaton({ all: pieces(template, template.slots.length, choice) })
}

/** All texts that a read sees which gives so many slots of a template from the left, and perhaps a range of the next. */
export function seenBy(template: Template, given: number, choice: Choice = {}): Automaton {
  if (given >= template.slots.length) return keysOf(template, choice)
  const head = pieces(template, given, choice)
  const begun: Pattern = { all: [...head, { many: { one: anything, owner: undefined } }] }
  const end = after(template.literals[given]!)
  if (end === undefined) return automaton(begun)
  // A range without an upper end stops at the text after all that begin so, and would see it too.
  return automaton({ any: [begun, { all: [...head.slice(0, -1), ...characters(end).slice(-1)] }] })
}

/** How many states the parts have that such a read gives; they are the first ones of `keysOf` and of `seenBy`. */
export function statesGiven(template: Template, given: number, choice: Choice = {}): number {
  return automaton({ all: pieces(template, given, choice) }).positions.length - 1
}

function pieces(template: Template, count: number, { filled = false, pinned = {} }: Choice): Pattern[] {
  const { literals, slots } = template
  const list = characters(literals[0]!)
  for (const [index, slot] of distinct(slots).slice(0, count).entries()) {
    const text = pinned[slot.name]
    list.push(text === undefined ? slotPattern(template, slot, filled) : exactly(template, slot, text))
    list.push(...characters(literals[index + 1]!))
  }
  return list
}

/** A slot that stands in the template again is another one here, since what it holds is read by its name. */
function distinct(slots: readonly Slot[]): Slot[] {
  const seen = new Set<string>()
  return slots.map(slot => {
    const name = seen.has(slot.name) ? `${slot.name} again` : slot.name
    seen.add(name)
    return { ...slot, name }
  })
}

const literal = (character: string): Pattern => ({ one: only(character), owner: undefined })
const characters = (text: string): Pattern[] => Array.from(text, literal)

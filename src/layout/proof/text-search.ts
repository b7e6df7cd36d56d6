import type { Automaton, CharacterSet } from './automaton.js'

/** A text that two automata accept, with both readings. */
export interface SharedText {
  readonly text: string
  /** The text of each slot in the two readings. */
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
}

interface SearchStep {
  readonly left: number
  readonly right: number
  readonly hasDiverged: boolean
  readonly character: string
  readonly previous: SearchStep | undefined
}

/**
 * Finds the shortest text that both automata accept. With `isSameState`, the two readings must also pass through
 * different states. The search is breadth-first over pairs of states; one character represents all characters that no
 * state distinguishes from it.
 */
export function findSharedText(
  left: Automaton,
  right: Automaton,
  isSameState?: (left: number, right: number) => boolean,
): SharedText | undefined {
  const alphabet = alphabetOf(left, right)
  const visited = new Set<number>()
  const queue: SearchStep[] = [{ left: 0, right: 0, hasDiverged: !isSameState, character: '', previous: undefined }]
  for (const step of queue) {
    if (step.previous && step.hasDiverged && left.accepting.has(step.left) && right.accepting.has(step.right))
      return toSharedText(left, right, step)
    for (const toLeft of left.next[step.left]!)
      for (const toRight of right.next[step.right]!) {
        const hasDiverged = step.hasDiverged || !isSameState!(toLeft, toRight)
        const id = (toLeft * right.positions.length + toRight) * 2 + Number(hasDiverged)
        if (visited.has(id)) continue
        const character = commonCharacter(
          alphabet,
          left.positions[toLeft]!.characters,
          right.positions[toRight]!.characters,
        )
        if (character === undefined) continue
        visited.add(id)
        queue.push({ left: toLeft, right: toRight, hasDiverged, character, previous: step })
      }
  }
  return undefined
}

const commonCharacter = (alphabet: readonly string[], a: CharacterSet, b: CharacterSet) =>
  alphabet.find(character => a.has(character) && b.has(character))

/**
 * The classes of characters, with the most readable ones first. One character that no state names represents the rest
 * of its class.
 */
const CHARACTER_CLASSES = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  characterRange(0x4e00, 0x5000),
  characterRange(0x00, 0x25),
]

function characterRange(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => String.fromCharCode(to - 1 - index)).join('')
}

function alphabetOf(left: Automaton, right: Automaton): string[] {
  const named = new Set<string>()
  for (const position of [...left.positions, ...right.positions])
    for (const character of position?.characters.named ?? '') named.add(character)
  const others = CHARACTER_CLASSES.flatMap(all => [...all].find(character => !named.has(character)) ?? [])
  return [...others.slice(0, 3), ...[...named].sort(), ...others.slice(3)]
}

function toSharedText(left: Automaton, right: Automaton, lastStep: SearchStep): SharedText {
  const steps: SearchStep[] = []
  for (let step: SearchStep | undefined = lastStep; step?.previous; step = step.previous) steps.unshift(step)
  return {
    text: steps.map(step => step.character).join(''),
    left: slotTextsOf(
      left,
      steps.map(step => [step.left, step.character]),
    ),
    right: slotTextsOf(
      right,
      steps.map(step => [step.right, step.character]),
    ),
  }
}

function slotTextsOf({ positions }: Automaton, run: readonly (readonly [number, string])[]): Record<string, string> {
  const slots: Record<string, string> = {}
  for (const position of positions) if (position?.owner) slots[position.owner.slot] = ''
  for (const [state, character] of run) {
    const { owner } = positions[state]!
    if (owner && !owner.mark) slots[owner.slot] += character
  }
  return slots
}

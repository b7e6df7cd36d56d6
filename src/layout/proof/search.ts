import type { Automaton, Characters } from './pattern.js'

/** A text that two automata both read, and how. */
export interface Found {
  readonly text: string
  /** What each slot holds, as the one and the other reads it. */
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
}

interface Step {
  readonly left: number
  readonly right: number
  readonly apart: boolean
  readonly character: string
  readonly before: Step | undefined
}

/**
 * The shortest text that both read, or, where `same` is given, that they read in two ways: passing through states that
 * are not the same. Breadth first over the pairs of states; a character stands for all that no state tells from it.
 */
export function search(
  left: Automaton,
  right: Automaton,
  same?: (left: number, right: number) => boolean,
): Found | undefined {
  const alphabet = alphabetOf(left, right)
  const seen = new Set<number>()
  const queue: Step[] = [{ left: 0, right: 0, apart: !same, character: '', before: undefined }]
  for (const step of queue) {
    if (step.before && step.apart && left.accepting.has(step.left) && right.accepting.has(step.right))
      return found(left, right, step)
    for (const toLeft of left.next[step.left]!)
      for (const toRight of right.next[step.right]!) {
        const apart = step.apart || !same!(toLeft, toRight)
        const id = (toLeft * right.positions.length + toRight) * 2 + Number(apart)
        if (seen.has(id)) continue
        const character = common(alphabet, left.positions[toLeft]!.characters, right.positions[toRight]!.characters)
        if (character === undefined) continue
        seen.add(id)
        queue.push({ left: toLeft, right: toRight, apart, character, before: step })
      }
  }
  return undefined
}

const common = (alphabet: readonly string[], a: Characters, b: Characters) =>
  alphabet.find(character => a.has(character) && b.has(character))

/** Of every class that a state may name, a character that no state tells from the rest of the class; the plainest first. */
const CLASSES = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  range(0x4e00, 0x5000),
  range(0x00, 0x25),
]

function range(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => String.fromCharCode(to - 1 - index)).join('')
}

function alphabetOf(left: Automaton, right: Automaton): string[] {
  const named = new Set<string>()
  for (const position of [...left.positions, ...right.positions])
    for (const character of position?.characters.named ?? '') named.add(character)
  const others = CLASSES.flatMap(all => [...all].find(character => !named.has(character)) ?? [])
  return [...others.slice(0, 3), ...[...named].sort(), ...others.slice(3)]
}

function found(left: Automaton, right: Automaton, end: Step): Found {
  const steps: Step[] = []
  for (let step: Step | undefined = end; step?.before; step = step.before) steps.unshift(step)
  return {
    text: steps.map(step => step.character).join(''),
    left: slotsRead(
      left,
      steps.map(step => [step.left, step.character]),
    ),
    right: slotsRead(
      right,
      steps.map(step => [step.right, step.character]),
    ),
  }
}

function slotsRead({ positions }: Automaton, run: readonly (readonly [number, string])[]): Record<string, string> {
  const slots: Record<string, string> = {}
  for (const position of positions) if (position?.owner) slots[position.owner.slot] = ''
  for (const [state, character] of run) {
    const { owner } = positions[state]!
    if (owner && !owner.mark) slots[owner.slot] += character
  }
  return slots
}

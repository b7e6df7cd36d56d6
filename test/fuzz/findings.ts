import type { Seen } from './difference.js'
import type { Fault } from './faults/fault.js'
import { textOf } from './sides/outcome.js'

/** Differences of one kind, which most likely have one cause. */
export interface Finding {
  readonly kind: string
  count: number
  /** The first difference of this kind. */
  readonly round: number
  readonly seen: Seen
}

/** All differences of a run by kind. */
export class Findings {
  private readonly byKind = new Map<string, Finding>()
  private readonly explained = new Map<Fault, number>()

  add(round: number, seen: Seen): void {
    const kind = kindOf(seen)
    const known = this.byKind.get(kind)
    if (known) known.count++
    else this.byKind.set(kind, { kind, count: 1, round, seen })
  }

  addExplained(fault: Fault): void {
    this.explained.set(fault, this.timesOf(fault) + 1)
  }

  timesOf(fault: Fault): number {
    return this.explained.get(fault) ?? 0
  }

  /** The findings, the most frequent first. */
  get all(): Finding[] {
    return [...this.byKind.values()].sort((a, b) => b.count - a.count)
  }
}

/** Returns the kind of a difference: the operation, the compared part, and both sides without names and values. */
export function kindOf({ call, at, ours, theirs, outcomes }: Seen): string {
  if (at !== 'outcome' && at !== 'message') return `${call.operation} ${at}`
  const messageOf = ({ refusal }: Seen['outcomes']['ours']) => (refusal ? wordsOf(refusal.message) : '')
  return `${call.operation} ${at}: ${textOf(ours)} ${messageOf(outcomes.ours)} <> ${textOf(theirs)} ${messageOf(outcomes.theirs)}`
}

const KIND_CHARACTERS = 90

function wordsOf(message: string): string {
  const words = message
    .replace(/"[^"]*"/g, '"…"')
    .replace(/[:#]\w+/g, '…')
    .replace(/\b(?:k\d|pk|sk|local\d|global\d)\b/g, '…')
  return words.slice(0, KIND_CHARACTERS)
}

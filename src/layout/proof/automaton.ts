/** A set of characters. `named` lists the characters that it treats differently from the rest of their class. */
export interface CharacterSet {
  has(character: string): boolean
  readonly named: string
}

/** The slot of a character, and whether the character only escapes the next one. */
export interface CharacterOwner {
  readonly slot: string
  readonly mark: boolean
}

/** A regular expression over characters. */
export type CharacterPattern =
  | { readonly one: CharacterSet; readonly owner: CharacterOwner | undefined }
  | { readonly all: readonly CharacterPattern[] }
  | { readonly any: readonly CharacterPattern[] }
  | { readonly many: CharacterPattern }

export const characterSetOf = (named: string): CharacterSet => ({ has: character => named.includes(character), named })
export const ANY_CHARACTER: CharacterSet = { has: () => true, named: '' }

export interface CharacterPosition {
  readonly characters: CharacterSet
  readonly owner: CharacterOwner | undefined
}

/**
 * An automaton with one state for each character position of a pattern, and state 0 for the beginning. Two readings of
 * a text are two paths through the states, which shows ambiguous texts.
 */
export interface Automaton {
  /** The positions by state; undefined for state 0. */
  readonly positions: readonly (CharacterPosition | undefined)[]
  /** The successors of each state. */
  readonly next: readonly (readonly number[])[]
  readonly accepting: ReadonlySet<number>
}

interface AutomatonPiece {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly empty: boolean
}

export function toAutomaton(pattern: CharacterPattern): Automaton {
  const positions: (CharacterPosition | undefined)[] = [undefined]
  const next: number[][] = [[]]
  const link = (from: readonly number[], to: readonly number[]) => {
    for (const state of from) next[state] = [...new Set([...next[state]!, ...to])]
  }

  const build = (part: CharacterPattern): AutomatonPiece => {
    if ('one' in part) {
      const state = positions.push({ characters: part.one, owner: part.owner }) - 1
      next.push([])
      return { first: [state], last: [state], empty: false }
    }
    if ('many' in part) {
      const inner = build(part.many)
      link(inner.last, inner.first)
      return { ...inner, empty: true }
    }
    if ('any' in part) return part.any.map(build).reduce(unionPieces, { first: [], last: [], empty: false })
    return part.all.map(build).reduce(
      (before, after) => {
        link(before.last, after.first)
        return concatenatePieces(before, after)
      },
      { first: [], last: [], empty: true },
    )
  }

  const whole = build(pattern)
  link([0], whole.first)
  return { positions, next, accepting: new Set(whole.empty ? [0, ...whole.last] : whole.last) }
}

const unionPieces = (a: AutomatonPiece, b: AutomatonPiece): AutomatonPiece => ({
  first: [...a.first, ...b.first],
  last: [...a.last, ...b.last],
  empty: a.empty || b.empty,
})

const concatenatePieces = (a: AutomatonPiece, b: AutomatonPiece): AutomatonPiece => ({
  first: a.empty ? [...a.first, ...b.first] : a.first,
  last: b.empty ? [...a.last, ...b.last] : b.last,
  empty: a.empty && b.empty,
})

import type { Equality } from '../expressions/search-condition.js'
import { after } from '../keys/encoder.js'
import type { KeyRange } from '../keyvalues/port.js'
import { attribute, equalValues } from '../values/compare.js'
import type { Stored } from '../values/stored.js'
import { partitionPrefix, restIn, vectorIn } from './entry.js'
import { type Scoring, scoringOf } from './score.js'
import type { VectorIndex } from './vector-index.js'

export interface Found {
  readonly score: number
  readonly entry: Stored
}

/** The nearest entries, the nearest first: every entry is looked at. Of those that are as near, the first by key. */
export function nearest(
  index: VectorIndex,
  searched: Float32Array,
  equalities: readonly Equality[],
  most: number,
): readonly Found[] {
  const scoring = scoringOf(index.distance, searched)
  const best = new Best(scoring, most)
  index.space.range(rangeOf(index, equalities), entry => {
    const item = restIn(entry)
    for (const { name, value } of equalities) {
      const own = attribute(item, name)
      if (own === undefined || !equalValues(own, value)) return true
    }
    best.take({ score: scoring.score(vectorIn(entry)), entry })
    return true
  })
  return best.found
}

/** All of the index, or the part of it that is named. */
function rangeOf({ partition }: VectorIndex, equalities: readonly Equality[]): KeyRange {
  const named = equalities.find(({ name }) => name === partition?.name)
  if (!named) return { from: '', to: undefined, reverse: false }
  const from = partitionPrefix(named.value)
  return { from, to: after(from), reverse: false }
}

/** Keeps so many of the best, in order. */
class Best {
  readonly found: Found[] = []

  constructor(
    private readonly scoring: Scoring,
    private readonly most: number,
  ) {}

  take(next: Found): void {
    const { found } = this
    let at = found.length
    while (at > 0 && this.isBetter(next, found[at - 1]!)) at--
    if (at === this.most) return
    found.splice(at, 0, next)
    if (found.length > this.most) found.pop()
  }

  private isBetter(a: Found, b: Found): boolean {
    return this.scoring.isGreatestFirst ? a.score > b.score : a.score < b.score
  }
}

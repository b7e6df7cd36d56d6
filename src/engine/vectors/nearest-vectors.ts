import type { SearchEquality } from '../expressions/search-condition.js'
import { upperBoundOf } from '../keys/key-encoder.js'
import type { KeyRange } from '../keyvalues/port.js'
import { attributeOf, isEqualValue } from '../values/compare-values.js'
import type { StoredItem } from '../values/stored-item.js'
import { type Scoring, scoringOf } from './scoring.js'
import { projectedItemOf, vectorOf, vectorPartitionPrefixOf } from './vector-entry.js'
import type { TableVectorIndex } from './vector-index.js'

export interface VectorMatch {
  readonly score: number
  readonly entry: StoredItem
}

/** Returns the nearest entries by an exhaustive search, the nearest first. Equally near entries are in key order. */
export function findNearest(
  index: TableVectorIndex,
  searchVector: Float32Array,
  equalities: readonly SearchEquality[],
  max: number,
): readonly VectorMatch[] {
  const scoring = scoringOf(index.distance, searchVector)
  const best = new BestMatches(scoring, max)
  index.space.range(searchRangeOf(index, equalities), entry => {
    const item = projectedItemOf(entry)
    for (const { name, value } of equalities) {
      const own = attributeOf(item, name)
      if (own === undefined || !isEqualValue(own, value)) return true
    }
    best.offer({ score: scoring.score(vectorOf(entry)), entry })
    return true
  })
  return best.matches
}

/** Returns the range of the named partition, or of the whole index. */
function searchRangeOf({ partition }: TableVectorIndex, equalities: readonly SearchEquality[]): KeyRange {
  const named = equalities.find(({ name }) => name === partition?.name)
  if (!named) return { from: '', to: undefined, reverse: false }
  const from = vectorPartitionPrefixOf(named.value)
  return { from, to: upperBoundOf(from), reverse: false }
}

/** Keeps a maximum number of best matches in order. */
class BestMatches {
  readonly matches: VectorMatch[] = []

  constructor(
    private readonly scoring: Scoring,
    private readonly max: number,
  ) {}

  offer(next: VectorMatch): void {
    const { matches } = this
    let at = matches.length
    while (at > 0 && this.isBetter(next, matches[at - 1]!)) at--
    if (at === this.max) return
    matches.splice(at, 0, next)
    if (matches.length > this.max) matches.pop()
  }

  private isBetter(a: VectorMatch, b: VectorMatch): boolean {
    return this.scoring.isGreatestFirst ? a.score > b.score : a.score < b.score
  }
}

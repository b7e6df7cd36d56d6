import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredSum } from '../../schema/declarations.js'
import { memoize } from '../memoize.js'

/**
 * A tally is a hidden attribute next to a sum: it counts the edges behind the sum, because a sum can be 0 although
 * edges exist. A tally is 1 for the node plus 2 for each edge. A new node starts at 1, so an odd tally is complete. A
 * node of an earlier version has no tally: edges add to nothing, and the tally stays even until `repair` or `backfill`
 * has counted the edges.
 */
export const EMPTY_TALLY = { N: '1' } as const
export const TALLY_PER_EDGE = { N: '2' } as const

/** Stored names of attributes do not begin with `$`. */
const TALLY_PREFIX = '$edges.'

/** The name of the tally next to the sum with this stored name. */
export const tallyName = (sumName: string): string => TALLY_PREFIX + sumName

/** The stored name of the sum next to a tally. */
export const sumNameOf = (name: string): string => name.slice(TALLY_PREFIX.length)

export const isTallyName = (name: string): boolean => name.startsWith(TALLY_PREFIX)

/** Whether a tally has counted every edge of its node. */
export const isCompleteTally = (tally: AttributeValue | undefined): boolean => /^\d*[13579]$/.test(tally?.N ?? '')

/** The sums of an edge that have a tally: those that no counter of the same edges covers, kept by transaction. */
export const talliedSumsOf = memoize(({ sum, count }: DeclaredEdge): readonly DeclaredSum[] =>
  sum.filter(
    rule =>
      rule.by !== 'stream' &&
      !count.some(
        ({ by, end, where }) =>
          by !== 'stream' && end === rule.end && (!where || JSON.stringify(where) === JSON.stringify(rule.where)),
      ),
  ),
)

/** The names of the tallies in an item. */
export const tallyNamesOf = (item: Item): string[] => Object.keys(item).filter(isTallyName)

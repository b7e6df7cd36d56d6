import type { Item } from '../../../src/dynamodb/index.js'
import { canonicalText } from '../../../src/plan/slot-values.js'

/** The items of a table in one order, without what is of a writing alone. */
export const sorted = (items: readonly Item[]): (string | undefined)[] =>
  items
    .filter(({ PK }) => PK?.S !== '$edgewise')
    .map(({ _etag, $moved, ...item }) => canonicalText(item))
    .sort()

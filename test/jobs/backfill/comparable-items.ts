import type { Item } from '../../../src/dynamodb/index.js'
import { canonicalText } from '../../../src/plan/slot-values.js'

/** Returns the items of a table in a fixed order, without attributes that differ in each write. */
export const sorted = (items: readonly Item[]): (string | undefined)[] =>
  items
    .filter(({ PK }) => PK?.S !== '$edgewise')
    .map(({ _etag, $moved, ...item }) => canonicalText(item))
    .sort()

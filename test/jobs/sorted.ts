import type { Item } from '../../src/index.js'
import { canonical } from '../../src/plan/change-values.js'

/** The items of a table in one order, without what is of a writing alone. */
export const sorted = (items: readonly Item[]): (string | undefined)[] =>
  items
    .filter(({ PK }) => PK?.S !== '$edgewise')
    .map(({ _etag, $moved, ...item }) => canonical(item))
    .sort()

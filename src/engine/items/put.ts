import type { Item } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import { validation } from '../errors.js'
import { checkItemKey, checkScalarKeys } from '../keys/check.js'
import { checkIndexKeys } from '../keys/check-indexes.js'
import { encodeKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import { takeItem } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import type { Stored } from '../values/stored.js'
import { type Action, checkCondition, type Guard } from './action.js'

/** An item from a caller, checked as far as it can be without its table. */
export function takeWholeItem(item: Item, layer: Layer): Stored {
  const stored = takeItem(item, layer)
  checkItemBytes(stored)
  return stored
}

export function checkItemBytes({ sizeBytes }: Stored): void {
  if (sizeBytes > ITEM_BYTES) throw validation('Item size has exceeded the maximum allowed size')
}

export function putAction(tableName: string, stored: Stored, guard: Guard): Action {
  return {
    locate(engine) {
      const table = findTable(engine, tableName)
      checkItemKey(table.keys, stored.item)
      checkIndexKeys(table, stored.item)
      checkScalarKeys(table, guard.condition?.nestedNames)
      const key = encodeKey(table.keys, stored.item)
      return { table, key, before: table.space.get(key) }
    },
    plan({ table, key, before }) {
      checkCondition(guard, before)
      return { table, key, before, after: stored }
    },
  }
}

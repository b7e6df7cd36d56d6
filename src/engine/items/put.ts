import type { Item } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { checkIndexKeys, checkItemKey } from '../keys/check.js'
import { encodeKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import { takeItem } from '../values/intake.js'
import type { Stored } from '../values/stored.js'
import { type Action, checkCondition, type Guard, type PlannedWrite } from './action.js'

/** An item from a caller, checked as far as it can be without its table. */
export function takeWholeItem(item: Item): Stored {
  const stored = takeItem(item)
  if (stored.sizeBytes > ITEM_BYTES) throw validation('Item size has exceeded the maximum allowed size')
  return stored
}

export function putAction(tableName: string, stored: Stored, guard: Guard): Action {
  return {
    tableName,
    plan(engine: Engine): PlannedWrite {
      const table = findTable(engine, tableName)
      checkItemKey(table.keys, stored.item)
      checkIndexKeys(table, stored.item)
      const key = encodeKey(table.keys, stored.item)
      const before = table.space.get(key)
      checkCondition(guard, before)
      return { table, key, before, after: stored }
    },
  }
}

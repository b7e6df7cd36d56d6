import type { Item } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import { validationError } from '../errors.js'
import { checkIndexKeys } from '../keys/check-index-keys.js'
import { checkItemKey, checkScalarKeys } from '../keys/check-key.js'
import { encodeKey } from '../keys/key-schema.js'
import { findTable } from '../tables/find-table.js'
import { parseInputItem } from '../values/parse-item.js'
import type { StoredItem } from '../values/stored-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { assertConditionHolds, type WriteAction, type WriteGuard } from './write-action.js'

/** Parses an item of a request, with all checks that do not need the table. */
export function parseWholeItem(item: Item, layer: ValidatorLayer): StoredItem {
  const stored = parseInputItem(item, layer)
  checkItemSize(stored)
  return stored
}

export function checkItemSize({ sizeBytes }: StoredItem): void {
  if (sizeBytes > ITEM_BYTES) throw validationError('Item size has exceeded the maximum allowed size')
}

export function newPutAction(tableName: string, stored: StoredItem, guard: WriteGuard): WriteAction {
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
      assertConditionHolds(guard, before)
      return { table, key, before, after: stored }
    },
  }
}

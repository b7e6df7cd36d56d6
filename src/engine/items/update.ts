import type { Key } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import { KeyError, validation } from '../errors.js'
import type { Update } from '../expressions/update.js'
import { checkScalarKeys } from '../keys/check.js'
import { checkIndexKeys, checkIndexKeyTypes } from '../keys/check-indexes.js'
import type { KeyAttribute } from '../keys/schema.js'
import type { Table } from '../tables/table.js'
import { storedFrom } from '../values/stored.js'
import { type Action, checkCondition, type Guard, locateKey, NO_ITEM } from './action.js'

/** Without an update the item is made with its key alone, or left as it is; one that only takes away makes none. */
export function updateAction(
  tableName: string,
  key: Key,
  update: Update | undefined,
  guard: Guard,
  /** What is asked of an update before what it writes to. */
  check?: (update: Update) => void,
): Action {
  return {
    locate(engine) {
      const place = locateKey(engine, tableName, key)
      if (update) check?.(update)
      if (update) checkTargets(place.table, update)
      checkScalarKeys(place.table, update?.nestedNames)
      checkScalarKeys(place.table, guard.condition?.nestedNames)
      return place
    },
    plan(place) {
      const { table, key: encoded, before } = place
      checkCondition(guard, before)
      const start = before?.item ?? key
      if (!update && before) return { ...place, after: before }
      const item = update ? update.apply(start) : start
      // Applied first: a nested path of an absent item is refused.
      if (update && !before && !update.makesItem) return { ...place, after: undefined }
      const after = storedFrom(item)
      if (after.sizeBytes > ITEM_BYTES) throw updateTooLarge()
      checkIndexKeys(table, item, before?.item ?? NO_ITEM)
      return { table, key: encoded, before, after }
    },
  }
}

export const updateTooLarge = () => validation('Item size to update has exceeded the maximum allowed size')

function checkTargets({ keys, indexes }: Table, update: Update): void {
  for (const part of keys.partition) refuseTouched(part, update)
  for (const part of keys.sort) refuseTouched(part, update)
  if (indexes.length > 0) checkIndexKeyTypes(indexes, update.knownTypes())
}

function refuseTouched({ name }: KeyAttribute, update: Update): void {
  if (update.names.has(name)) throw new KeyError(`Cannot update attribute ${name}. This attribute is part of the key`)
}

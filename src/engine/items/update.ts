import type { Key } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import { invalidParameter, validation } from '../errors.js'
import type { Update } from '../expressions/update.js'
import { checkIndexKeys } from '../keys/check.js'
import type { Table } from '../tables/table.js'
import { storedFrom } from '../values/stored.js'
import { type Action, checkCondition, type Guard, locate } from './action.js'

/** Without an update the item is made with its key alone, or left as it is. */
export function updateAction(tableName: string, key: Key, update: Update | undefined, guard: Guard): Action {
  return {
    tableName,
    plan(engine) {
      const place = locate(engine, tableName, key)
      if (update) checkKeyUntouched(place.table, update)
      checkCondition(guard, place.before)
      const start = place.before?.item ?? key
      const item = update ? update.apply(start) : start
      if (place.before && item === place.before.item) return { ...place, after: place.before }
      const after = storedFrom(item === key ? { ...key } : item)
      if (after.sizeBytes > ITEM_BYTES) throw validation('Item size to update has exceeded the maximum allowed size')
      checkIndexKeys(place.table, item, start)
      return { ...place, after }
    },
  }
}

function checkKeyUntouched(table: Table, update: Update): void {
  for (const part of [...table.keys.partition, ...table.keys.sort])
    if (update.names.has(part.name))
      throw invalidParameter(`Cannot update attribute ${part.name}. This attribute is part of the key`)
}

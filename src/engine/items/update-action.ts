import type { Key } from '../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../dynamodb/limits.js'
import { KeyError, validationError } from '../errors.js'
import type { UpdateExpression } from '../expressions/updates/update.js'
import { checkIndexKeys, checkIndexKeyTypes } from '../keys/check-index-keys.js'
import { checkScalarKeys } from '../keys/check-key.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import { toStoredItem } from '../values/stored-item.js'
import { assertConditionHolds, EMPTY_ITEM, locateKey, type WriteAction, type WriteGuard } from './write-action.js'

/**
 * Creates the action of an update. Without an update expression it creates an item with only its key, or leaves an
 * existing item unchanged. An expression that only removes attributes does not create an item.
 */
export function newUpdateAction(
  tableName: string,
  key: Key,
  update: UpdateExpression | undefined,
  guard: WriteGuard,
  /** A check that comes before the check of the written attributes. */
  check?: (update: UpdateExpression) => void,
): WriteAction {
  return {
    locate(engine) {
      const place = locateKey(engine, tableName, key)
      if (update) check?.(update)
      if (update) checkUpdateTargets(place.table, update)
      checkScalarKeys(place.table, update?.nestedNames)
      checkScalarKeys(place.table, guard.condition?.nestedNames)
      return place
    },
    plan(place) {
      const { table, key: encoded, before } = place
      assertConditionHolds(guard, before)
      const start = before?.item ?? key
      if (!update && before) return { ...place, after: before }
      const item = update ? update.apply(start) : start
      // `apply` runs first, because a nested path of a missing item is an error.
      if (update && !before && !update.createsItem) return { ...place, after: undefined }
      const after = toStoredItem(item)
      if (after.sizeBytes > ITEM_BYTES) throw updateTooLargeError()
      checkIndexKeys(table, item, before?.item ?? EMPTY_ITEM)
      return { table, key: encoded, before, after }
    },
  }
}

export const updateTooLargeError = () => validationError('Item size to update has exceeded the maximum allowed size')

function checkUpdateTargets({ keys, indexes }: Table, update: UpdateExpression): void {
  for (const part of keys.partition) checkKeyUntouched(part, update)
  for (const part of keys.sort) checkKeyUntouched(part, update)
  if (indexes.length > 0) checkIndexKeyTypes(indexes, update.knownTypes())
}

function checkKeyUntouched({ name }: KeyAttribute, update: UpdateExpression): void {
  if (update.names.has(name)) throw new KeyError(`Cannot update attribute ${name}. This attribute is part of the key`)
}

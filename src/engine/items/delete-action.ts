import type { Key } from '../../dynamodb/attribute-value.js'
import { assertConditionHolds, locateKey, type WriteAction, type WriteGuard } from './write-action.js'

export function newDeleteAction(tableName: string, key: Key, guard: WriteGuard): WriteAction {
  return {
    locate: engine => locateKey(engine, tableName, key, guard.condition),
    plan(place) {
      assertConditionHolds(guard, place.before)
      return { ...place, after: undefined }
    },
  }
}

/** Creates a condition check on an item that the transaction does not write. */
export function newCheckAction(tableName: string, key: Key, guard: WriteGuard): WriteAction {
  return {
    locate: engine => locateKey(engine, tableName, key, guard.condition),
    plan(place) {
      assertConditionHolds(guard, place.before)
      return { ...place, after: place.before }
    },
  }
}

import type { Key } from '../../dynamodb/attribute-value.js'
import { type Action, checkCondition, type Guard, locateKey } from './action.js'

export function deleteAction(tableName: string, key: Key, guard: Guard): Action {
  return {
    locate: engine => locateKey(engine, tableName, key, guard.condition),
    plan(place) {
      checkCondition(guard, place.before)
      return { ...place, after: undefined }
    },
  }
}

/** A condition on an item that a transaction does not write. */
export function checkAction(tableName: string, key: Key, guard: Guard): Action {
  return {
    locate: engine => locateKey(engine, tableName, key, guard.condition),
    plan(place) {
      checkCondition(guard, place.before)
      return { ...place, after: place.before }
    },
  }
}

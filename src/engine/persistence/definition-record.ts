import { StoredItem } from '../values/stored-item.js'

/** Encodes a definition as an item, so that any store of items can hold it. */
export function toDefinitionRecord(value: unknown): StoredItem {
  return new StoredItem({ json: { S: JSON.stringify(value) } }, 0, false)
}

export function parseDefinition(record: StoredItem): unknown {
  return JSON.parse(record.item.json!.S!, reviveDate)
}

/** Restores dates in descriptions of tables. All of their members have the same suffix. */
function reviveDate(name: string, value: unknown): unknown {
  return name.endsWith('DateTime') && typeof value === 'string' ? new Date(value) : value
}

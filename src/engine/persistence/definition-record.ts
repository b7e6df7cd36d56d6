import { StoredItem } from '../values/stored-item.js'

/** A definition as an item, so that whatever keeps items keeps it too. */
export function toDefinitionRecord(value: unknown): StoredItem {
  return new StoredItem({ json: { S: JSON.stringify(value) } }, 0, false)
}

export function parseDefinition(record: StoredItem): unknown {
  return JSON.parse(record.item.json!.S!, reviveDate)
}

/** Descriptions of tables have dates, whose members all end alike. */
function reviveDate(name: string, value: unknown): unknown {
  return name.endsWith('DateTime') && typeof value === 'string' ? new Date(value) : value
}

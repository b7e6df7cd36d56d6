import { Stored } from '../values/stored.js'

/** A definition as an item, so that whatever keeps items keeps it too. */
export function recordOf(value: unknown): Stored {
  return new Stored({ json: { S: JSON.stringify(value) } }, 0, false)
}

export function definitionIn(record: Stored): unknown {
  return JSON.parse(record.item.json!.S!, dated)
}

/** Descriptions of tables have dates, whose members all end alike. */
function dated(name: string, value: unknown): unknown {
  return name.endsWith('DateTime') && typeof value === 'string' ? new Date(value) : value
}

import type { Item } from '../../dynamodb/attribute-value.js'
import { itemFromJson } from '../../jobs/rows/item-json.js'

/** Bytes are base64 in JSON. A match within a text only makes parsing slower. */
const BYTES = /"BS?":/

/** The item of a text of DynamoDB JSON. Without bytes, the parsed JSON is the item and needs no copy. */
export function parseItemText(text: unknown): Item {
  const parsed: unknown = JSON.parse(text as string)
  return BYTES.test(text as string) ? itemFromJson(parsed) : (parsed as Item)
}

/** The column of the table of items that has this text. */
export const itemText = (alias = ''): string => `CAST(${alias}item AS STRING) AS item`

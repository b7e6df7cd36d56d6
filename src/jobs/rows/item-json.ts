import type { Item } from '../../dynamodb/attribute-value.js'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { parseJsonItem } from '../../dynamodb/export/json-item.js'
import { GraphError } from '../../schema/error.js'

export { itemToJson } from '../../dynamodb/export/json-item.js'

/** Converts a parsed object of DynamoDB JSON to an item. */
export function itemFromJson(parsed: unknown): Item {
  try {
    return parseJsonItem(parsed, 'the item')
  } catch (error) {
    if (error instanceof FormatError) throw new GraphError('load.row', error.message)
    throw error
  }
}

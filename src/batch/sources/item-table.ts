import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { toBase64 } from '../../jobs/rows/base64.js'
import { itemToJson } from '../../jobs/rows/item-json.js'
import type { Layout } from '../../layout/layout.js'
import type { Dialect } from '../dialect.js'
import type { SqlValue } from '../duckdb.js'

/** The schema of SQL that holds items as they are stored. A type of a graph cannot have a table there. */
export const PHYSICAL = 'physical'
/** The table of all items. */
export const ITEMS = `${PHYSICAL}.items`

/**
 * Creates the table of items: both parts of the key as texts, the mark of the type, whether a deletion marked the item,
 * when it expires, and the whole item as DynamoDB JSON.
 */
export const CREATE_ITEMS = `
  CREATE SCHEMA IF NOT EXISTS ${PHYSICAL};
  CREATE TABLE ${ITEMS} (pk VARCHAR, sk VARCHAR, mark VARCHAR, deleting BOOLEAN, expires DOUBLE, item JSON)`

/** The columns of an item in memory. */
export function itemCells({ names }: Pick<Layout, 'names'>, item: Item): SqlValue[] {
  const key = (value: AttributeValue | undefined) => value?.S ?? value?.N ?? (value?.B ? toBase64(value.B) : null)
  return [
    key(item[names.partition]),
    names.sort ? key(item[names.sort]) : '',
    item[names.type]?.S ?? null,
    item[names.deletionMark] !== undefined,
    item[names.expires]?.N === undefined ? null : Number(item[names.expires]!.N),
    Object.values(item).some(mayHoldBytes) ? itemToJson(item) : JSON.stringify(item),
  ]
}

/** Bytes need a function for each value, which takes three times as long. */
const mayHoldBytes = (value: AttributeValue): unknown => value.B ?? value.BS ?? value.M ?? value.L

const KEY_TYPES = ['S', 'N', 'B']

/**
 * A query of the columns of the table of items. `documents` is a query whose column `item` has their JSON; its columns
 * `more` are passed on.
 */
export function itemColumns(
  { names }: Pick<Layout, 'names'>,
  dialect: Dialect,
  documents: string,
  more: readonly string[] = [],
): string {
  const paths: string[][] = []
  const at = (path: string[]) => dialect.element('texts', paths.push(path))
  const key = (name: string) => (name ? `coalesce(${KEY_TYPES.map(type => at([name, type])).join(', ')})` : `''`)
  const columns = [
    `${key(names.partition)} AS pk`,
    `${key(names.sort)} AS sk`,
    `${at([names.type, 'S'])} AS mark`,
    `${at([names.deletionMark])} IS NOT NULL AS deleting`,
    `try_cast(${at([names.expires, 'N'])} AS DOUBLE) AS expires`,
    ...['item', ...more],
  ]
  const texts = dialect.jsonTexts('item', paths)
  return `SELECT ${columns.join(', ')} FROM (SELECT *, ${texts} AS texts FROM (${documents}))`
}

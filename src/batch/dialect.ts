import { sqlLiteral } from './sql-text.js'

/**
 * A regular expression of an escaped part of a key: no character up to `$` stands in it without a `$` before it. An
 * alternative within a repetition would overflow the stack of Java for long keys.
 */
export const ESCAPED_PART = '([^\\x00-\\x24]*(?:\\$[\\x00-\\x24][^\\x00-\\x24]*)*)'

/**
 * The SQL that differs between engines. DuckDB and Spark both run all other SQL that this room generates. Parameters and results are SQL expressions.
 */
export interface Dialect {
  /** The object or array at a path of names within JSON. */
  json(document: string, path: readonly string[]): string
  /** The value at a path as text: of a JSON string its content. */
  jsonText(document: string, path: readonly string[]): string
  /** Texts at several paths as one list, which costs one pass over the document; `element` takes one of them. */
  jsonTexts(document: string, paths: readonly (readonly string[])[]): string
  /** An element of a list, from 1. */
  element(list: string, position: number): string
  /** Replaces every match of a regular expression; `\1` in the replacement is its first group. */
  replaceAll(text: string, pattern: string, replacement: string): string
  /** A group of the first match of a regular expression; an empty text without a match. */
  extract(text: string, pattern: string, group: number): string
  /** Whether a regular expression matches the whole text. */
  matches(text: string, pattern: string): string
  /** A text as a JSON string. */
  textAsJson(text: string): string
  /** A text as JSON, which it must be. */
  asJson(text: string): string
  /** A JSON object of names with JSON values, without those that are NULL. */
  jsonObject(members: readonly (readonly [name: string, json: string])[]): string
  /** A JSON array that is made of each element of another; `element` makes it from the expression of one. */
  jsonArray(array: string, element: (each: string) => string): string
  /** A table of the members of a JSON object within a row of FROM: their names as `key`, their values as `value`. */
  entries(document: string, path: readonly string[], alias: string): string
  /** The type of integers of at least 38 digits, which sums of integers of 64 bits do not exceed. */
  readonly wideInteger: string
  /** A value as an integer of 64 bits; NULL if it is not an integer. */
  integer(text: string): string
  /** A text of ISO 8601 in UTC as a time; NULL if it is not one. */
  timestamp(text: string): string
  /** The seconds since 1970 of a text of ISO 8601 in UTC, rounded down; NULL if it is not one. */
  epochSeconds(text: string): string
  /** Base64 as bytes. */
  bytes(text: string): string
  /** A JSON array of texts of a group, sorted by these expressions. */
  sortedTexts(text: string, order: string): string
  /** The rows of a query with a number as the first column, which increases in this order. */
  numbered(name: string, query: string, order: string): string
}

/** The path as a JSON pointer, which holds names with any character. */
const pointer = (path: readonly string[]) =>
  sqlLiteral(path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))

export const duckdbDialect: Dialect = {
  json: (document, path) => `json_extract(${document}, ${pointer(path)})`,
  jsonText: (document, path) => `json_extract_string(${document}, ${pointer(path)})`,
  jsonTexts: (document, paths) => `json_extract_string(${document}, [${paths.map(pointer).join(', ')}])`,
  element: (list, position) => `${list}[${position}]`,
  replaceAll: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${sqlLiteral(pattern)}, ${sqlLiteral(replacement)}, 'gs')`,
  extract: (text, pattern, group) => `regexp_extract(${text}, ${sqlLiteral(pattern)}, ${group}, 's')`,
  matches: (text, pattern) => `regexp_full_match(${text}, ${sqlLiteral(pattern)}, 's')`,
  textAsJson: text => `to_json(${text})`,
  asJson: text => `CAST(${text} AS JSON)`,
  jsonObject: members =>
    `json_merge_patch('{}', json_object(${members.map(([name, json]) => `${sqlLiteral(name)}, ${json}`).join(', ')}))`,
  jsonArray: (array, element) =>
    `to_json(list_transform(from_json(${array}, '["JSON"]'), lambda each: ${element('each')}))`,
  entries: (document, path, alias) => `json_each(json_extract(${document}, ${pointer(path)})) AS ${alias}`,
  wideInteger: 'HUGEINT',
  integer: text => `CASE WHEN NOT contains(${text}, '.') THEN try_cast(${text} AS BIGINT) END`,
  timestamp: text => `try_cast(${text} AS TIMESTAMP)`,
  epochSeconds: text => `floor(epoch(try_cast(${text} AS TIMESTAMP)))`,
  bytes: text => `from_base64(${text})`,
  sortedTexts: (text, order) => `to_json(list(${text} ORDER BY ${order}))`,
  numbered: (name, query, order) => `SELECT row_number() OVER (ORDER BY ${order}) AS ${name}, * FROM (${query})`,
}

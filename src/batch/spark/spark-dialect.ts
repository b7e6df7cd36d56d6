import { GraphError } from '../../schema/error.js'
import type { Dialect } from '../dialect.js'
import { sqlText } from '../sql-text.js'

/** The moment of the data, which the program sets when it has read the manifest of an export. */
export const MOMENT_MS = 'session.edgewise_moment_ms'

/**
 * Spark SQL from 4.0 on, in ANSI mode, where a double quote begins a name. JSON is of the type VARIANT, whose names have
 * case and may contain any character. Spark reads a backslash within a literal as an escape, so all texts are written by
 * `sqlText`.
 */
export const sparkDialect: Dialect = {
  json: (document, path) => variant(document, path, 'variant'),
  jsonText: (document, path) => variant(document, path, 'string'),
  jsonTexts: (document, paths) => `array(${paths.map(path => variant(document, path, 'string')).join(', ')})`,
  element: (list, position) => `element_at(${list}, ${position})`,
  replaceAll: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${sqlText(pattern)}, ${sqlText(javaReplacement(replacement))})`,
  extract: (text, pattern, group) => `regexp_extract(${text}, ${sqlText(`(?s)${pattern}`)}, ${group})`,
  // In Java, `$` also matches before a line break at the end.
  matches: (text, pattern) => `regexp_like(${text}, ${sqlText(`(?s)\\A(?:${pattern})\\z`)})`,
  textAsJson: text => `CAST(${text} AS VARIANT)`,
  asJson: text => `parse_json(${text})`,
  jsonObject: members =>
    `parse_json(to_json(named_struct(${members.map(([name, json]) => `${sqlText(name)}, ${json}`).join(', ')})))`,
  jsonArray: (array, element) =>
    `CAST(transform(CAST(${array} AS ARRAY<VARIANT>), each -> ${element('each')}) AS VARIANT)`,
  entries: (document, path, alias) => `LATERAL variant_explode(${variant(document, path, 'variant')}) AS ${alias}`,
  wideInteger: 'DECIMAL(38, 0)',
  // Spark reads no exponent in the text of an integer.
  integer: text =>
    `CASE WHEN NOT contains(${text}, '.') THEN try_cast(try_cast(${text} AS DECIMAL(38, 0)) AS BIGINT) END`,
  timestamp: text => `try_cast(${text} AS TIMESTAMP)`,
  epochSeconds: text => `unix_seconds(try_cast(${text} AS TIMESTAMP))`,
  bytes: text => `try_to_binary(${text}, 'base64')`,
  sortedTexts: (text, order) =>
    `parse_json(to_json(transform(array_sort(collect_list(named_struct('place', ${order}, 'name', ${text}))), each -> each.name)))`,
  // A window without partitions would sort all rows in one task. These numbers have gaps, and the order of the rows.
  numbered: (name, query, order) =>
    `SELECT monotonically_increasing_id() AS ${name}, * FROM (SELECT * FROM (${query}) ORDER BY ${order})`,
}

function variant(document: string, path: readonly string[], type: 'string' | 'variant'): string {
  if (path.length === 0) return type === 'variant' ? document : `CAST(${document} AS STRING)`
  return `variant_get(${document}, ${sqlText(`$${path.map(memberPath).join('')}`)}, '${type}')`
}

/** A member of an object in a path of Spark, which has no escapes. */
function memberPath(name: string): string {
  if (!name.includes("'")) return `['${name}']`
  if (!name.includes('"')) return `["${name}"]`
  throw new GraphError(
    'batch.job',
    `'${name}': Spark cannot read an attribute whose name has both kinds of quotes; use the engine 'duckdb'.`,
    { name },
  )
}

/** In Java, a dollar sign refers to a group and a backslash quotes the next character. */
const javaReplacement = (replacement: string) => replacement.replaceAll('$', '\\$').replace(/\\(\d)/g, '$$$1')

import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import type { Dialect } from '../dialect.js'

/** The type of SQL that a column has. JSON is text that holds JSON. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamp' | 'bytes' | 'json'

/** An attribute without the user-defined types around it. */
export function storedAttribute(attribute: DeclaredAttribute): DeclaredAttribute {
  return attribute.mapped ? storedAttribute(attribute.mapped.inner) : attribute
}

/**
 * The type of the column of an attribute. Numbers stay text unless all of them fit into an integer, since no type of SQL
 * holds every number of DynamoDB.
 */
export function columnType(layout: Layout, type: DeclaredType, slot: string, attribute: DeclaredAttribute): ColumnType {
  const { kind } = storedAttribute(attribute)
  switch (kind) {
    case 'integer':
      return 'integer'
    case 'counter':
      return isWholeCounter(layout, type, slot) ? 'integer' : 'text'
    case 'boolean':
      return 'boolean'
    case 'date':
      return 'timestamp'
    case 'binary':
      return 'bytes'
    case 'list':
    case 'map':
    case 'set':
    case 'json':
    case 'validated':
    case 'embedded':
      return 'json'
    default:
      return 'text'
  }
}

/** Whether a counter counts edges or sums integers. */
function isWholeCounter({ graph }: Layout, type: DeclaredType, slot: string): boolean {
  return graph.declared.edges.every(edge =>
    edge.sum.every(({ end, into, of }) => {
      const node = edge.ends.find(({ name }) => name === end)?.node
      return node !== type || into !== slot || edge.attributes[of]?.kind === 'integer'
    }),
  )
}

/** A text as a value of a type. */
export function typedText(dialect: Dialect, type: ColumnType, text: string): string {
  switch (type) {
    case 'integer':
      return dialect.integer(text)
    case 'boolean':
      return `try_cast(${text} AS BOOLEAN)`
    case 'timestamp':
      return dialect.timestamp(text)
    case 'bytes':
      return dialect.bytes(text)
    default:
      return text
  }
}

/**
 * A stored value as plain JSON. The values of json() and of validators have no declared types, so they remain DynamoDB
 * JSON.
 */
export function plainJson(dialect: Dialect, attribute: DeclaredAttribute, stored: string): string {
  const { kind, type, element, members } = storedAttribute(attribute)
  const content = contentJson(dialect, stored, type ?? 'S')
  switch (kind) {
    case 'number':
    case 'integer':
    case 'counter':
      return dialect.asJson(dialect.jsonText(stored, ['N']))
    case 'list':
      return dialect.jsonArray(content, each => plainJson(dialect, element!, each))
    case 'set':
      return isNumeric(element!)
        ? dialect.jsonArray(content, each => dialect.asJson(dialect.jsonText(each, [])))
        : content
    case 'map':
      return dialect.jsonObject(
        Object.entries(members!).map(([name, member]) => [
          name,
          plainJson(dialect, member, dialect.json(content, [member.storedAs ?? name])),
        ]),
      )
    case 'json':
    case 'validated':
    case 'embedded':
      return kind === 'embedded' ? content : stored
    default:
      return content
  }
}

/** The content of a stored value as JSON. Texts, numbers and bytes are texts in DynamoDB JSON. */
const contentJson = (dialect: Dialect, stored: string, type: string): string =>
  type === 'S' || type === 'N' || type === 'B'
    ? dialect.textAsJson(dialect.jsonText(stored, [type]))
    : dialect.json(stored, [type])

const isNumeric = (element: DeclaredAttribute) => /^(number|integer)$/.test(storedAttribute(element).kind)

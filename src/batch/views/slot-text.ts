import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { storedTypeOf, TENANT_SLOT } from '../../layout/slots.js'
import type { Dialect } from '../dialect.js'
import { decodeSlot } from './decode-key.js'

/** A layout, and the dialect of its SQL. */
export interface ViewContext {
  readonly layout: Layout
  readonly dialect: Dialect
}

/** The column of the table of items that holds a key attribute. */
const keyColumn = ({ names }: Layout, name: string, alias: string) =>
  `${alias}${name === names.partition ? 'pk' : 'sk'}`

/** The name of the key attribute that a slot is read from; undefined if its own attribute holds it. */
export function keyOfSlot({ names }: Layout, { keys }: Kind, slot: string): string | undefined {
  return names.keys.find(name => {
    const template = keys[name]!
    return template.mode === 'encoded' && template.slots.some(each => each.name === slot)
  })
}

/** A stored value as it is in an item: DynamoDB JSON, such as `{"S": "ann"}`. */
export const storedJson = ({ layout, dialect }: ViewContext, { type }: Kind, slot: string, alias = ''): string =>
  dialect.json(`${alias}item`, [layout.names.attributeOf(type, slot)])

/** A text, a number or a boolean of an item as text, from its key or from its attribute. */
export function slotText(context: ViewContext, kind: Kind, slot: string, alias = ''): string {
  const { layout, dialect } = context
  const key = keyOfSlot(layout, kind, slot)
  if (key !== undefined) return decodeSlot(dialect, kind.keys[key]!, keyColumn(layout, key, alias), slot)
  const stored = slot === TENANT_SLOT ? 'S' : storedTypeOf(kind.type, slot)
  return dialect.jsonText(`${alias}item`, [layout.names.attributeOf(kind.type, slot), stored ?? 'S'])
}

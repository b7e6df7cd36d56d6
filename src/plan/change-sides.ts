import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { PhysicalItem } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { idSlots } from '../layout/slots.js'
import { keyOf, keyText, partOf, type Written } from './change-part.js'
import { sameValue } from './change-values.js'
import { WriteExpression } from './write-expression.js'
import { keptByStream } from './write-needs.js'

/** Brings the items beside a node's or an edge's own from what they were to what they are: mirrors, facets, sentinels. */
export function sideParts(
  layout: Layout,
  before: readonly PhysicalItem[],
  after: readonly PhysicalItem[],
  etag: string,
): Written[] {
  const byKey = (items: readonly PhysicalItem[]) =>
    new Map(items.map(side => [keyText(keyOf(layout, side.item)), side] as const))
  const [old, now] = [byKey(before), byKey(after)]
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, side]) => goneSide(layout, side))
  const kept = [...now].flatMap(([key, side]) => writtenSide(layout, side, old.get(key), etag))
  return [...gone, ...kept]
}

const kindOf = ({ kinds }: Layout, { kind }: PhysicalItem) => kinds.find(({ name }) => name === kind)!

function goneSide(layout: Layout, side: PhysicalItem): Written {
  const kind = kindOf(layout, side)
  const expression = kind.role === 'unique' ? ofOwner(layout, kind, side.item) : undefined
  return { part: partOf(layout, 'Delete', keyOf(layout, side.item), expression), refused: 'again', before: side.item }
}

/** A sentinel goes only where it is this owner's. */
function ofOwner({ names }: Layout, kind: Kind, item: Item): WriteExpression {
  const expression = new WriteExpression()
  const owner = kind.type.kind === 'node' ? idSlots(kind.type).map(slot => names.of(kind.type, slot)) : []
  const same = owner.flatMap(name => (item[name] ? [expression.equals(name, item[name])] : []))
  return same.length > 0
    ? expression.where(`${expression.missing(names.partition)} OR (${same.join(' AND ')})`)
    : expression
}

function writtenSide(layout: Layout, side: PhysicalItem, old: PhysicalItem | undefined, etag: string): Written[] {
  const { names } = layout
  const kind = kindOf(layout, side)
  if (kind.role === 'mirror') return [mirror(layout, kind, { ...side.item, [names.etag]: { S: etag } }, old?.item)]
  if (old && sameItem(old.item, side.item)) return []
  if (kind.role !== 'unique')
    return [{ part: partOf(layout, 'Put', side.item), refused: 'again', before: old?.item, after: side.item }]
  const expression = new WriteExpression()
  expression.where(expression.missing(names.partition))
  return [{ part: partOf(layout, 'Put', side.item, expression), refused: 'unique.taken', after: side.item }]
}

/** A mirror is the edge again; what the stream keeps on it stays. */
function mirror(layout: Layout, kind: Kind, item: Item, old: Item | undefined): Written {
  if (!old || kind.type.kind === 'node' || !keptByStream(kind.type))
    return { part: partOf(layout, 'Put', item), refused: 'again', before: old, after: item }
  const expression = new WriteExpression()
  const key = keyOf(layout, item)
  for (const [name, value] of Object.entries(item)) if (!(name in key)) expression.set(expression.name(name), value)
  for (const name of Object.keys(old)) if (!(name in item)) expression.remove(expression.name(name))
  return { part: partOf(layout, 'Update', key, expression), refused: 'again', before: old, after: item }
}

function sameItem(a: Record<string, AttributeValue>, b: Record<string, AttributeValue>): boolean {
  return sameValue({ M: a }, { M: b })
}

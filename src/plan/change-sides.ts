import type { Item } from '../dynamodb/attribute-value.js'
import { itemsOfFact, type KindItem } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { goneCounted } from './change-counted.js'
import { asRead, setAll } from './change-own.js'
import { newPart, type Writes } from './change-part.js'
import { sameValue } from './change-values.js'
import { keyOf, keyText } from './identity.js'
import type { About, Change, Slots } from './plan.js'
import { isLive } from './row.js'
import type { WriteExpression } from './write-expression.js'
import type { Traits } from './write-traits.js'

/** Brings the items beside a node's or an edge's own from what they were to what they are: mirrors, facets, sentinels. */
export function writeSides(
  writes: Writes,
  traits: Traits,
  { etag, nowSeconds }: Change,
  about: About,
  before: Slots | undefined,
  after: Slots | undefined,
): void {
  const { layout } = writes
  const { names } = layout
  const { type, sides, mirrors, stored } = traits
  if (!sides[0]) return
  const [old, now] = [sidesOf(layout, type, before), sidesOf(layout, type, after)]
  for (const [text, { item, kind }] of old) {
    if (now.has(text)) continue
    const key = keyOf(names, item)
    if (mirrors.includes(kind)) {
      // A mirror that the stream may have counted goes as it was read, or is still not there.
      const there = writes.before(key)
      const part = writes.add(newPart(there ? 'Delete' : 'ConditionCheck', key, about, 'again'))
      if (there) goneCounted(writes, kind, part, there, before!, etag)
      else asRead(names, part.expression, there)
    } else if (isLive(layout, item, nowSeconds * 1000)) {
      // What has expired goes by itself, since its sentinel may be another's by now; one goes only where it is this owner's.
      const { expression } = writes.add({ ...newPart('Delete', key, about, 'again'), before: item })
      if (kind.role === 'unique') expression.where(expression.missing(names.partition), isOf(stored, expression, item))
    }
  }
  for (const [text, { item, kind }] of now) {
    if (kind.role === 'mirror') item[names.etag] = { S: etag }
    writtenSide(writes, traits, kind, about, item, old.get(text)?.item, nowSeconds)
  }
}

/** The items beside a node's or an edge's own, by the texts of their keys. */
export function sidesOf(layout: Layout, type: DeclaredType, values: Slots | undefined): Map<string, KindItem> {
  const items = values ? itemsOfFact(layout, type, values).slice(1) : []
  return new Map(items.map(each => [keyText(layout, each.item), each]))
}

/** That a sentinel is of the owner that this one is of. */
function isOf(stored: Traits['stored'], expression: WriteExpression, item: Item): string {
  const same = stored.flatMap(([, name]) => (item[name] ? [expression.equals(name, item[name])] : []))
  return `(${same.join(' AND ')})`
}

/** A mirror is the edge again; what the stream keeps on it stays, also where nobody knew of it. */
function writtenSide(
  writes: Writes,
  { timed, stored, managed, mirrors }: Traits,
  kind: Kind,
  about: About,
  item: Item,
  old: Item | undefined,
  nowSeconds: number,
): void {
  if (old && sameValue({ M: old }, { M: item })) return
  const { names } = writes.layout
  const isUnique = kind.role === 'unique'
  const unique = isUnique ? kind.of : undefined
  const refused = unique ? 'unique.taken' : isUnique ? 'edge.one' : 'again'
  const isKept = mirrors.includes(kind)
  const part = newPart(isKept ? 'Update' : 'Put', keyOf(names, item), { ...about, unique }, refused)
  part.after = item
  if (isKept) {
    part.before = writes.before(part.key) ?? undefined
    setAll(part, item, [...managed, ...Object.keys(kind.keys)])
  }
  part.before ??= old
  const { expression } = part
  if (isUnique) expression.where(expression.free(names, timed, nowSeconds), old && isOf(stored, expression, old))
  writes.add(part)
}

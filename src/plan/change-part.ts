import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { Reference } from '../layout/members.js'
import { once } from '../layout/once.js'
import { identityOf, referenceSlots, TENANT_SLOT } from '../layout/slots.js'
import type { DeclaredEnd } from '../schema/declared.js'
import { keyText, ownKind, tableKey } from './identity.js'
import type { About, Refused, Slots } from './plan.js'
import { WriteExpression } from './write-expression.js'
import { refusalError } from './write-refusal.js'

/** An item before a write; null where it was read and is not there, undefined where it was not read. */
export type Before = Item | null | undefined

/** Items before a write by the texts of their keys, of all that was read. */
export interface Known {
  get(text: string): Before
}

type Verb = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** What is written of one item, and what it means where its condition fails. */
export interface Part {
  verb: Verb
  readonly key: Key
  readonly about: About
  /** Whether it is the item of the node or the edge itself that a call writes. */
  readonly own: boolean
  /** Whether a call asked for it as a condition on a row that it does not write. */
  readonly isCheck?: boolean
  readonly expression: WriteExpression
  refused: Refused
  /** What it would mean without the caller's condition. */
  unless?: Refused
  /** The etag that the item had when it was read, '' where it was not there: where that changed, it is read again. */
  expects?: string | undefined
  /** The tag of what the stream had counted of it then, empty where it had nothing; undefined: it may count. */
  counted?: string
  /** Of a node that goes: how much it may keep of edges, by stored name. */
  readonly left: (readonly [name: string, count: string])[]
  /** Of a node that is to go: the stored names under which it may keep nothing. */
  empty?: readonly string[] | undefined
  /** The etag that it gives to the item of the node or the edge itself. */
  sets?: string
  /** The item as it was and as it will be, as far as known; of a Put, all of it. */
  before?: Item | undefined
  after?: Item | undefined
  /** Where it changes or takes away an item that was not read: the keys of indexes that it changes. */
  unread?: Set<string>
  /** Of a node that goes: whether its edges were looked for and deleted before. */
  isCascaded?: boolean
  /** Derived values that the item must have, by stored name. */
  derived?: Slots
  /** Of a node: what edges change in what it keeps of them, by stored name: a number more, or entries. */
  readonly kept: Record<string, AttributeValue>
  /** Of a node: counters that it is to have, if only as 0. */
  ranked?: readonly string[]
}

export function newPart(verb: Verb, key: Key, about: About, refused: Refused, own = false): Part {
  return { verb, key, about, own, expression: new WriteExpression(), refused, left: [], kept: {} }
}

/** Everything that one request writes, each item once. */
export class Writes {
  readonly parts = new Map<string, Part>()

  constructor(
    readonly layout: Layout,
    /** What was there; undefined where nothing was read. */
    readonly known: Known | undefined,
  ) {}

  before(key: Key): Before {
    return this.known?.get(keyText(this.layout, key))
  }

  at(key: Key): Part | undefined {
    return this.parts.get(keyText(this.layout, key))
  }

  add(part: Part): Part {
    const text = keyText(this.layout, part.key)
    const other = this.parts.get(text)
    if (other && (other.isCheck || part.isCheck)) throw refusalError('write.transaction', part.about)
    this.parts.set(text, other && other.verb !== 'ConditionCheck' ? moved(other, part) : part)
    return part
  }
}

/** A sentinel can go from one owner to another in one request: it is put where the first may delete it. */
function moved(one: Part, other: Part): Part {
  const [put, gone] = one.verb === 'Put' ? [one, other] : [other, one]
  if (put.verb !== 'Put' || gone.verb !== 'Delete' || put.own)
    throw refusalError(other.refused === 'unique.taken' ? other.refused : 'write.transaction', other.about)
  return { ...put, expression: gone.expression, before: gone.before, refused: 'again' }
}

/** The slots of the id of the node at an end, each with that by which the edge refers to it. */
const referredBy = once((end: Reference) => {
  const references = referenceSlots(end)
  return identityOf(end.node).map((slot, i) => [slot, references[i]!] as const)
})

/** The node at an end of an edge, or the owner of a node: its identity and its key. */
export function endOf(layout: Layout, end: Reference, edge: Slots) {
  const identity: Record<string, AttributeValue> = {}
  for (const [slot, reference] of referredBy(end)) identity[slot] = edge[reference]!
  const all = { [TENANT_SLOT]: edge[TENANT_SLOT], ...identity }
  return { identity, key: tableKey(layout, ownKind(layout, end.node), all) }
}

/** What an edge copies from a node: what the id of that tells, or its item. Nobody could read an edge with what cannot be read. */
export function copiedFrom(
  { names }: Layout,
  { node }: DeclaredEnd,
  attribute: string,
  identity: Slots,
  source: Before,
): AttributeValue | undefined {
  const value = identity[attribute] ?? source?.[names.of(node, attribute)]
  if (value) node.attributes[attribute]!.decode(value, `${node.name}.${attribute}`)
  return value
}

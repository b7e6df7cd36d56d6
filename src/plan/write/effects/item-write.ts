import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { Layout } from '../../../layout/layout.js'
import { memoize } from '../../../layout/memoize.js'
import type { Reference } from '../../../layout/row-members.js'
import { identitySlotsOf, referenceSlots, TENANT_SLOT } from '../../../layout/slots.js'
import type { DeclaredEnd } from '../../../schema/declarations.js'
import { ownKindOf, tableKeyOf, uniqueKeyTextOf } from '../../identity.js'
import type { ConditionOutcome, SlotValues, WriteSubject } from '../../plan.js'
import { WriteExpression } from '../expression.js'
import { refusalError } from '../refusals.js'

/** An item before a write; null where it was read and is not there, undefined where it was not read. */
export type PriorItem = Item | null | undefined

/** Items before a write by the texts of their keys, of all that was read. */
export interface ReadItems {
  get(text: string): PriorItem
}

type WriteVerb = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** What is written of one item, and what it means where its condition fails. */
export interface ItemWrite {
  verb: WriteVerb
  readonly key: Key
  readonly subject: WriteSubject
  /** Whether it is the item of the node or the edge itself that a call writes. */
  readonly isOwn: boolean
  /** Whether a call asked for it as a condition on a row that it does not write. */
  readonly isCheck?: boolean
  readonly expression: WriteExpression
  onConditionFailed: ConditionOutcome
  /** What it would mean without the caller's condition. */
  withoutUserCondition?: ConditionOutcome
  /** The etag that the item had when it was read, '' where it was not there: where that changed, it is read again. */
  expectedEtag?: string | undefined
  /** The tag of what the stream had counted of it then, empty where it had nothing; undefined: it may count. */
  expectedCountTag?: string
  /** Of a node that goes: how much it may keep of edges, by stored name. */
  readonly remainingLimits: (readonly [name: string, count: string])[]
  /** Of a node that is to go: the stored names under which it may keep nothing. */
  mustBeEmpty?: readonly string[] | undefined
  /** The etag that it gives to the item of the node or the edge itself. */
  newEtag?: string
  /** The item as it was and as it will be, as far as known; of a Put, all of it. */
  before?: Item | undefined
  after?: Item | undefined
  /** Where it changes or takes away an item that was not read: the keys of indexes that it changes. */
  unreadChanges?: Set<string>
  /** Of a node that goes: whether its edges were looked for and deleted before. */
  isCascaded?: boolean
  /** Derived values that the item must have, by stored name. */
  expectedDerived?: SlotValues
  /** Of a node: what edges change in what it keeps of them, by stored name: a number more, or entries. */
  readonly aggregateChanges: Record<string, AttributeValue>
  /** Of a node: counters that it is to have, if only as 0. */
  rankedCounters?: readonly string[]
}

export function itemWrite(
  verb: WriteVerb,
  key: Key,
  subject: WriteSubject,
  onConditionFailed: ConditionOutcome,
  isOwn = false,
): ItemWrite {
  return {
    verb,
    key,
    subject,
    isOwn,
    expression: new WriteExpression(),
    onConditionFailed,
    remainingLimits: [],
    aggregateChanges: {},
  }
}

/** Everything that one request writes, each item once. */
export class ItemWrites {
  readonly byKey = new Map<string, ItemWrite>()

  constructor(
    readonly layout: Layout,
    /** What was there; undefined where nothing was read. */
    readonly readItems: ReadItems | undefined,
  ) {}

  priorItem(key: Key): PriorItem {
    return this.readItems?.get(uniqueKeyTextOf(this.layout, key))
  }

  writeOf(key: Key): ItemWrite | undefined {
    return this.byKey.get(uniqueKeyTextOf(this.layout, key))
  }

  add(write: ItemWrite): ItemWrite {
    const text = uniqueKeyTextOf(this.layout, write.key)
    const other = this.byKey.get(text)
    if (other && (other.isCheck || write.isCheck)) throw refusalError('write.transaction', write.subject)
    this.byKey.set(text, other && other.verb !== 'ConditionCheck' ? mergeSentinelMove(other, write) : write)
    return write
  }
}

/** A sentinel can go from one owner to another in one request: it is put where the first may delete it. */
function mergeSentinelMove(first: ItemWrite, second: ItemWrite): ItemWrite {
  const [put, deletion] = first.verb === 'Put' ? [first, second] : [second, first]
  if (put.verb !== 'Put' || deletion.verb !== 'Delete' || put.isOwn)
    throw refusalError(
      second.onConditionFailed === 'unique.taken' ? second.onConditionFailed : 'write.transaction',
      second.subject,
    )
  return { ...put, expression: deletion.expression, before: deletion.before, onConditionFailed: 'retry' }
}

/** The slots of the id of the node at an end, each with that by which the edge refers to it. */
const identityReferencesOf = memoize((end: Reference) => {
  const references = referenceSlots(end)
  return identitySlotsOf(end.node).map((slot, i) => [slot, references[i]!] as const)
})

/** The node at an end of an edge, or the owner of a node: its identity and its key. */
export function endNodeOf(layout: Layout, end: Reference, edge: SlotValues) {
  const identity: Record<string, AttributeValue> = {}
  for (const [slot, reference] of identityReferencesOf(end)) identity[slot] = edge[reference]!
  const all = { [TENANT_SLOT]: edge[TENANT_SLOT], ...identity }
  return { identity, key: tableKeyOf(layout, ownKindOf(layout, end.node), all) }
}

/** What an edge copies from a node: what the id of that tells, or its item. Nobody could read an edge with what cannot be read. */
export function copyFromNode(
  { names }: Layout,
  { node }: DeclaredEnd,
  attribute: string,
  identity: SlotValues,
  source: PriorItem,
): AttributeValue | undefined {
  const value = identity[attribute] ?? source?.[names.attributeOf(node, attribute)]
  if (value) node.attributes[attribute]!.decode(value, `${node.name}.${attribute}`)
  return value
}

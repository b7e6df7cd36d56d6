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

/** An item before a write; null when the read did not find it, undefined when it was not read. */
export type PriorItem = Item | null | undefined

/** Items before a write, by the texts of their keys. */
export interface ReadItems {
  get(text: string): PriorItem
}

type WriteVerb = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** The write of one item, and the meaning of its failed condition. */
export interface ItemWrite {
  verb: WriteVerb
  readonly key: Key
  readonly subject: WriteSubject
  /** Whether the item is the row's own item, in contrast to side items and aggregates. */
  readonly isOwn: boolean
  /** Whether the write is a condition on a row that the caller requested without writing it. */
  readonly isCheck?: boolean
  readonly expression: WriteExpression
  onConditionFailed: ConditionOutcome
  /** The meaning of the failure if the caller's condition is not the reason. */
  withoutUserCondition?: ConditionOutcome
  /** The etag when the item was read, '' when the item was missing. A mismatch triggers another read. */
  expectedEtag?: string | undefined
  /**
   * The tag of the contribution that the stream had counted when the item was read, '' without a contribution;
   * undefined allows the stream to count concurrently.
   */
  expectedCountTag?: string
  /** Of a deleted node: the aggregate contents that may remain, by stored name. */
  readonly remainingLimits: (readonly [name: string, count: string])[]
  /** Of a node that is to be deleted: the stored names of aggregates that must be empty. */
  mustBeEmpty?: readonly string[] | undefined
  /** The new etag of the row's own item. */
  newEtag?: string
  /** The item before and after, as far as known; of a Put, the complete item. */
  before?: Item | undefined
  after?: Item | undefined
  /** Of an update or deletion of an unread item: the index keys that change. */
  unreadChanges?: string[]
  /** Of a deleted node: whether its edges were already found and deleted. */
  isCascaded?: boolean
  /** Summaries that the item must have as they were read, because they are copied to a mirror. */
  expectedSummaries?: readonly string[]
  /** Derived values that the item must have, by stored name. */
  expectedDerived?: SlotValues
  /** Of a put of an unread item: the stored name of each immutable attribute, and the values that it may have. */
  immutableForms?: Readonly<Record<string, { readonly name: string; readonly forms: readonly AttributeValue[] }>>
  /** Of a node: changes of its aggregates by stored name, as increments or entries. */
  readonly aggregateChanges: Record<string, AttributeValue>
  /** Of a node: counters that must exist even when they are 0. */
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

/** All item writes of one request, with at most one write per item. */
export class ItemWrites {
  readonly byKey = new Map<string, ItemWrite>()

  constructor(
    readonly layout: Layout,
    /** The prior items; undefined when nothing was read. */
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

/**
 * Merges the deletion and the put of a sentinel that moves to another owner in the same request. The put succeeds
 * where the deletion would.
 */
function mergeSentinelMove(first: ItemWrite, second: ItemWrite): ItemWrite {
  const [put, deletion] = first.verb === 'Put' ? [first, second] : [second, first]
  if (put.verb !== 'Put' || deletion.verb !== 'Delete' || put.isOwn)
    throw refusalError(
      second.onConditionFailed === 'unique.taken' ? second.onConditionFailed : 'write.transaction',
      second.subject,
    )
  return { ...put, expression: deletion.expression, before: deletion.before, onConditionFailed: 'retry' }
}

/** The slots of the id of the node at an end, each with the edge's slot that refers to it. */
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

/**
 * Copies a value from a node to an edge, from the node's id or its item. An invalid value throws here, because the
 * edge would become unreadable.
 */
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

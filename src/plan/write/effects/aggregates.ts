import type { AttributeValue, Key } from '../../../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../../../dynamodb/limits.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { addNumberValues, embeddedEntryName, embeddedEntryOf, isCounted } from '../../../layout/items/derived-values.js'
import { EMPTY_TALLY, isCompleteTally, sumNameOf, TALLY_PER_EDGE, tallyName } from '../../../layout/items/tally.js'
import type { Layout } from '../../../layout/layout.js'
import type { DeclaredEdge } from '../../../schema/declarations.js'
import { hasEntries, mapValues } from '../../../schema/map-values.js'
import { uniqueKeyTextOf } from '../../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../../plan.js'
import { isSameValue } from '../../slot-values.js'
import { type AggregateAttribute, aggregatesAt, hasTally, traitsOf } from '../../type-traits.js'
import { refusalError } from '../refusals.js'
import { endNodeOf, type ItemWrite, type ItemWrites, itemWrite } from './item-write.js'

/** The contributions of one edge to the aggregates of one node. */
interface NodeAggregates {
  readonly subject: Omit<WriteSubject, 'call'>
  readonly key: Key
  /** Numbers, and maps of entries, by stored name. */
  readonly values: Record<string, AttributeValue>
  /** Whether the node must exist for the edge to exist. */
  isNodeRequired: boolean
}

/** The value of a removed entry. */
const REMOVED_ENTRY: AttributeValue = { NULL: true }

/**
 * The aggregates that an edge with these values adds to the nodes at its ends. A self-loop contributes to the same
 * node from both ends.
 */
export function nodeAggregatesOf(
  layout: Layout,
  edge: DeclaredEdge,
  values: SlotValues | undefined,
): Map<string, NodeAggregates> {
  const byNode = new Map<string, NodeAggregates>()
  if (!values) return byNode
  for (const end of edge.ends) {
    const { node, onDelete } = end
    const { key, identity } = endNodeOf(layout, end, values)
    const text = uniqueKeyTextOf(layout, key)
    const ofNode: NodeAggregates = byNode.get(text) ?? {
      subject: { type: node.name, identity },
      key,
      values: {},
      isNodeRequired: false,
    }
    for (const { into, max, of, where } of aggregatesAt(edge, end)) {
      if (!isCounted({ where }, values)) continue
      const name = layout.names.attributeOf(node, into)
      const number = of ? (values[of] ?? { N: '0' }) : { N: '1' }
      const value = max
        ? { M: { [embeddedEntryName(edge, end, values)]: { M: embeddedEntryOf(node, into, values) } } }
        : number
      ofNode.values[name] = mergeAggregates(ofNode.values[name], value)
      if (hasTally(edge, into))
        ofNode.values[tallyName(name)] = mergeAggregates(ofNode.values[tallyName(name)], TALLY_PER_EDGE)
    }
    ofNode.isNodeRequired ||= onDelete !== 'leave'
    byNode.set(text, ofNode)
  }
  return byNode
}

/** Merges two changes of an aggregate, or the contributions of two edges to it. */
export function mergeAggregates(first: AttributeValue | undefined, second: AttributeValue): AttributeValue {
  return second.M ? { M: { ...first?.M, ...second.M } } : addNumberValues(first, second)
}

/** The change that turns one contribution into another; undefined when they are equal. */
function diffAggregate(
  old: AttributeValue | undefined,
  current: AttributeValue | undefined,
): AttributeValue | undefined {
  if (old?.N ?? current?.N) {
    const delta = addNumberValues(current, old, -1)
    return delta.N === '0' ? undefined : delta
  }
  const M = mapValues({ ...old?.M, ...current?.M }, (_, id) =>
    isSameValue(old?.M?.[id], current?.M?.[id]) ? undefined : (current?.M?.[id] ?? REMOVED_ENTRY),
  )
  return hasEntries(M) ? { M } : undefined
}

/** Updates the aggregates of the edge's nodes, and requires that mandatory nodes exist. */
export function writeAggregates(
  writes: ItemWrites,
  edge: DeclaredEdge,
  { ends }: PlannedChange,
  { call }: WriteSubject,
  before: SlotValues | undefined,
  after: SlotValues | undefined,
): void {
  const [aggregatesBefore, aggregatesAfter] = [
    nodeAggregatesOf(writes.layout, edge, before),
    nodeAggregatesOf(writes.layout, edge, after),
  ]
  for (const [text, { subject, key }] of new Map([...aggregatesBefore, ...aggregatesAfter])) {
    const [old, now] = [aggregatesBefore.get(text), aggregatesAfter.get(text)]
    const changes = mapValues({ ...old?.values, ...now?.values }, (_, name) =>
      diffAggregate(old?.values[name], now?.values[name]),
    )
    // The first contribution to an aggregate requires the node. Without the node, later deletions would not
    // find the edge.
    const isNew = () => Object.keys(now!.values).some(name => !old?.values[name])
    const mustExist = now && (isNew() || ends === 'check' || (now.isNodeRequired && !old?.isNodeRequired))
    if (!hasEntries(changes) && !mustExist) continue
    const nodeWrite = findOwnerWrite(writes, { ...subject, call }, key, mustExist)
    if (nodeWrite)
      for (const name in changes)
        nodeWrite.aggregateChanges[name] = mergeAggregates(nodeWrite.aggregateChanges[name], changes[name]!)
  }
}

/** The write of the node at an edge's end; undefined when the node does not exist and is optional. */
function findOwnerWrite(
  writes: ItemWrites,
  subject: WriteSubject,
  key: Key,
  mustExist: boolean | undefined,
): ItemWrite | undefined {
  const { partition, deletionMark } = writes.layout.names
  const existingWrite = writes.writeOf(key)
  const before = writes.priorItem(key)
  const isDeleted = existingWrite?.isOwn ? existingWrite.verb === 'Delete' : before === null || before?.[deletionMark]
  if (isDeleted && mustExist) throw refusalError('edge.end.absent', subject)
  // A node that is created again does not inherit aggregates, because it has no record of edges of the deleted
  // node.
  if (existingWrite?.isOwn) return !mustExist && existingWrite.verb === 'Put' ? undefined : existingWrite
  const nodeWrite =
    existingWrite ?? itemWrite('ConditionCheck', key, subject, before === undefined ? 'edge.end.absent' : 'retry')
  const { expression } = nodeWrite
  if (!existingWrite) {
    nodeWrite.before = nodeWrite.after = before ?? undefined
    if (before === undefined) nodeWrite.unreadChanges = []
    expression.where(before === null ? expression.missing(partition) : expression.exists(partition))
    writes.add(nodeWrite)
  }
  if (mustExist) expression.where(expression.missing(deletionMark))
  return before === null ? undefined : nodeWrite
}

/** Applies the collected aggregate changes to the node writes, after all edges have contributed. */
export function finishAggregates(layout: Layout, write: ItemWrite): void {
  const { aggregateChanges, expression, subject, before } = write
  for (const name of write.verb === 'Update' ? (write.rankedCounters ?? []) : []) {
    const path = expression.name(name)
    // ADD creates a counter that does not exist.
    if (!aggregateChanges[name])
      expression.set(path, `if_not_exists(${path}, ${expression.value(write.after![name]!)})`)
  }
  for (const [name, attribute] of traitsOf(layout, subject.type).aggregates) {
    const { max } = attribute
    const change = aggregateChanges[name]
    const addsEntries = Object.values(change?.M ?? {}).some(entry => entry.M)
    const isDeleted = write.isOwn && (write.verb === 'Delete' || write.mustBeEmpty?.includes(name))
    if (isDeleted) {
      if (addsEntries) throw refusalError('node.edges', subject)
      requireNoEdges(layout, write, name, attribute)
    }
    if (isDeleted || !change) continue
    const sum = mergeAggregates(write.after?.[name], change)
    const value: AttributeValue = sum.M ? { M: mapValues(sum.M, entry => entry.M && entry) } : sum
    write.after = { ...write.after, [name]: value }
    const storedEntries = before?.[name]?.M
    // A map that already exceeds the maximum still accepts changes of its existing entries.
    const maxEntries = Math.max(max, Object.keys(storedEntries ?? {}).length)
    if (addsEntries && (Object.keys(value.M!).length > maxEntries || countItemBytes(write.after) > ITEM_BYTES))
      throw refusalError('edge.embed.full', subject, name)
    // DynamoDB rejects empty attribute names.
    if (value.M?.['']) throw refusalError('key.empty', subject, `id in ${name}`)
    if (write.verb === 'Put') continue
    if (change.N) expression.add(expression.name(name), change)
    else if (storedEntries) writeEntries(write, name, max, change.M!, storedEntries)
    else {
      if (addsEntries) expression.set(expression.name(name), value)
      expression.where(expression.missing(name))
    }
    write.unreadChanges?.push(name)
  }
  if (write.verb === 'ConditionCheck' && expression.hasUpdates) write.verb = 'Update'
}

/**
 * Requires that no edge is counted, summed or embedded in a node that is deleted. Otherwise a node created again
 * under the same id would lack these edges. Edges that the same request deletes are still included in the stored
 * values.
 */
function requireNoEdges(layout: Layout, write: ItemWrite, name: string, { kind, max }: AggregateAttribute): void {
  const { expression, aggregateChanges } = write
  switch (kind) {
    // A sum can be 0 although edges exist, so its tally, or a count of the same edges, decides.
    case 'sum':
      return
    case 'tally':
      requireTally(layout, write, name)
      return
    case 'count':
    case 'entries': {
      const path = expression.name(name)
      const N = max ? aggregateSize(aggregateChanges[name]) : addNumberValues(undefined, aggregateChanges[name], -1).N!
      const isEmpty = `${max ? `size(${path})` : path} = ${expression.value({ N })}`
      expression.where(N === '0' && expression.missing(name), isEmpty)
      write.remainingLimits.push([name, N])
    }
  }
}

function requireTally({ names }: Layout, write: ItemWrite, name: string): void {
  const { expression, subject, before, aggregateChanges } = write
  const { N } = addNumberValues(EMPTY_TALLY, aggregateChanges[name], -1) as { readonly N: string }
  if (!before || isCompleteTally(before[name])) {
    expression.where(N === EMPTY_TALLY.N && expression.missing(names.partition), expression.equals(name, { N }))
    write.remainingLimits.push([name, N])
    return
  }
  if (!write.isCascaded) throw refusalError('node.uncounted', subject)
  // The cascade already deleted all edges, and the deletion mark has prevented new edges since.
  const sumName = sumNameOf(name)
  expression.where(expression.equalsOrMissing(name, before[name]))
  expression.where(expression.missing(sumName), expression.equals(sumName, { N: '0' }))
  write.remainingLimits.push([sumName, '0'])
}

/** The size of an aggregate: a number, or the number of entries. */
export const aggregateSize = (value: AttributeValue | undefined): string =>
  value?.N ?? String(Object.keys(value?.M ?? {}).length)

type Entries = Readonly<Record<string, AttributeValue>>

function writeEntries(
  { expression }: ItemWrite,
  name: string,
  max: number,
  entries: Entries,
  storedEntries: Entries,
): void {
  const path = expression.name(name)
  let room = max
  expression.where(expression.exists(name))
  for (const id in entries) {
    const { M } = entries[id]!
    const entryPath = `${path}.${expression.name(id)}`
    const isStored = Object.hasOwn(storedEntries, id)
    // A node and an edge are not read at the same moment, so one of them may have an entry that the other
    // lacks.
    expression.where(`attribute_${isStored ? '' : 'not_'}exists(${entryPath})`)
    if (M || isStored) expression.set(entryPath, M && entries[id])
    if (isStored) room++
    if (M) room--
  }
  if (room < max) expression.where(`size(${path}) <= ${expression.value({ N: String(room) })}`)
}

import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { Reference } from '../layout/members.js'
import { storedForms } from '../layout/row-bindings.js'
import { TENANT_SLOT } from '../layout/slots.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { goneCounted } from './change-counted.js'
import { finishKept, writeKept } from './change-kept.js'
import { asRead, checkPart, ownPart } from './change-own.js'
import { type Before, copiedFrom, endOf, type Known, newPart, type Part, Writes } from './change-part.js'
import { sidesOf, writeSides } from './change-sides.js'
import { changedValues, givenValues, sameValue, storedValues } from './change-values.js'
import { keyOf, keyText, tableKey } from './identity.js'
import type { About, Change, Slots } from './plan.js'
import { isLive } from './row.js'
import { type Refusal, refusalError } from './write-refusal.js'
import { type Traits, traitsOf } from './write-traits.js'

/**
 * The parts that bring nodes and edges, and everything derived from them, from the state before to that after changes.
 * `known`: the items before; undefined where nothing had to be read.
 */
export function partsOf(layout: Layout, changes: readonly Change[], known?: Known): Part[] {
  const writes = new Writes(layout, known)
  // Nodes first: edges look for what they become.
  for (const kind of ['node', 'edge'])
    for (const [call, change] of changes.entries()) {
      const traits = traitsOf(layout, change.type)
      if (traits.type.kind === kind) apply(writes, traits, change, call)
    }
  const parts = [...writes.parts.values()]
  for (const part of parts) finishKept(layout, part)
  // Nothing is done where nothing is there to be deleted.
  return parts.every(({ verb, isCheck }) => verb === 'ConditionCheck' && !isCheck) ? [] : parts
}

function apply(writes: Writes, traits: Traits, change: Change, call: number): void {
  const { layout } = writes
  const { type } = traits
  const { verb, identity } = change
  const { [layout.design.tenant ? TENANT_SLOT : '']: _, ...own } = identity
  const about: About = { type: type.name, identity: own, call }
  const keyed = () => tableKey(layout, traits.own, identity)
  if (verb === 'going' || verb === 'stay') {
    writes.add(markPart(layout, keyed(), change, about))
    return
  }
  if (verb === 'held') {
    const part = newPart('ConditionCheck', keyed(), about, 'node.stays')
    part.before = part.after = writes.before(part.key) ?? undefined
    writes.add(part).expression.where(part.expression.equals(layout.names.going, { S: change.mark! }))
    return
  }
  if (verb === 'check') {
    writes.add(checkPart(layout, traits, change, about, writes.before(keyed())))
    return
  }
  if (verb === 'absent') {
    const part = newPart('ConditionCheck', keyed(), about, 'node.stays')
    writes.add(part).expression.where(part.expression.missing(layout.names.partition))
    return
  }
  const key = writes.known && keyed()
  const before = key && writes.before(key)
  const isLeft = before && isLive(layout, before, change.nowSeconds * 1000)
  if (!isThere(layout, traits, change, about, before, isLeft)) {
    // In a transaction the rest is done only while it is not there.
    if (verb === 'delete' && !writes.at(key!))
      asRead(layout.names, writes.add(newPart('ConditionCheck', key!, about, 'again')).expression, before)
    return
  }
  const old = before ? storedValues(traits, identity, before) : undefined
  if (change.compose) {
    change.compose(writes, traits, old!, about, before!)
    return
  }
  // All that it will have, or what is known of it; undefined where it goes.
  let values: Slots | undefined
  if (verb === 'update') values = old ? changedValues(traits, old, change) : givenValues(change)
  else if (verb !== 'delete' && verb !== 'gone') {
    const carried = type.kind === 'edge' ? carriedValues(writes, type, identity, about) : {}
    values = { ...change.set, ...carried }
    if (type.kind === 'edge') checkCarried(traits, change, carried, values, about)
  }
  const part = ownPart(layout, traits, change, about, before, values)
  if (before && !values && traits.derived && type.kind === 'edge')
    goneCounted(writes, traits.own, part, before, old!, change.etag)
  writes.add(part)
  if (traits.owner && values && verb !== 'update' && !isLeft) requireOwner(writes, traits.owner, identity, call)
  // An update of what is not read shows nowhere else.
  const isShown = verb !== 'update' || old
  if (isShown) writeSides(writes, traits, change, about, old, values)
  // One that has expired may have outlived the nodes at its ends.
  const kept = isLeft ? old : isShown ? undefined : values
  if (type.kind === 'edge' && (change.ends || traits.checked[0])) writeKept(writes, type, change, about, kept, values)
}

/** An owned node that goes with its owner, or keeps it, is created only while its owner is there and stays. */
function requireOwner(writes: Writes, owner: Reference, values: Slots, call: number): void {
  const { partition, going } = writes.layout.names
  const { key, identity } = endOf(writes.layout, owner, values)
  const made = writes.at(key)
  if (made?.own && made.verb !== 'Delete') return
  const about: About = { type: owner.node.name, identity, call }
  if (made?.own) throw refusalError('owner.absent', about)
  const part = made ?? newPart('ConditionCheck', key, about, 'owner.absent')
  const before = writes.before(key)
  part.before = part.after = before ?? undefined
  if (before === undefined) part.unread ??= new Set()
  const { expression } = writes.add(part)
  expression.where(expression.exists(partition))
  expression.where(expression.missing(going))
}

/** Whether there is anything to write, as far as that is known: what is not there needs not be deleted. */
function isThere(
  layout: Layout,
  traits: Traits,
  change: Change,
  about: About,
  before: Before,
  isLeft: unknown,
): unknown {
  const { verb, identity, set, condition, mark } = change
  if (before === undefined) return true
  const { names } = layout
  const refuse = (code: Refusal, name?: string) => {
    throw refusalError(code, about, name)
  }
  const there = before && !leadsElsewhere(layout, traits, identity, before) ? before : undefined
  const isGoing = there?.[names.going]?.S
  if (verb === 'copy' || verb === 'delete' || verb === 'gone') {
    // Marked anew, it was there in between, and what came to it then is the other call's.
    if (there && verb === 'gone' && isGoing !== mark) refuse('node.stays')
    // A condition is put to what is not there too, as DynamoDB does; not to another edge in its place.
    if (before && !there && condition) refuse('write.condition')
    return there ?? condition
  }
  if (isGoing) refuse('node.going')
  // The one edge of a node may be another, which is no less in the way of a new one.
  const isFound = isLeft && (verb === 'create' || there)
  if (verb === 'update' && !isFound) refuse('write.absent')
  if (verb === 'create' && isFound) refuse('write.exists')
  if (verb === 'put' && isFound)
    for (const name of traits.immutable)
      if (!isSameStored(traits, name, there?.[names.of(traits.type, name)], set)) refuse('write.immutable', name)
  return true
}

/** Whether the stored value of an attribute is the given one. An encrypted value has several stored forms. */
function isSameStored({ type, fold }: Traits, name: string, stored: AttributeValue | undefined, set: Slots): boolean {
  const given = set[name]
  if (!stored || !given) return stored === given
  return storedForms(type, name, given, set, fold).some(form => sameValue(stored, form))
}

/**
 * Says of a node that it is being deleted, and what becomes of its edges, or takes that back; a second mark leaves the
 * first.
 */
function markPart({ names }: Layout, key: Key, change: Change, about: About): Part {
  const { verb, etag, mark, condition } = change
  const part = newPart('Update', key, about, condition ? 'write.condition' : 'nothing', true)
  const { expression } = part
  part.sets = etag
  part.empty = change.left
  const path = expression.name(names.going)
  expression.set(expression.name(names.etag), { S: etag })
  if (verb === 'stay') {
    expression.set(path, undefined)
    expression.where(expression.equals(names.going, { S: mark! }))
  } else {
    expression.set(path, `if_not_exists(${path}, ${expression.value({ S: `${mark} ${etag}` })})`)
    expression.where(expression.exists(names.partition))
    if (condition) expression.given(condition)
  }
  return part
}

/**
 * The keys that are known only from an edge's item: of the one edge of a node, those of the nodes that keep something of
 * it as it was; of mirrors that the stream may have counted, those that go, or whose copies are brought up.
 */
export function keysBeside(layout: Layout, change: Change, known: Known): Key[] {
  const { verb, identity, set } = change
  const traits = traitsOf(layout, change.type)
  const { type, mirrors, keepers } = traits
  const there = known.get(keyText(layout, tableKey(layout, traits.own, identity)))
  const isGone = verb === 'delete' || verb === 'copy'
  const isOther = there && leadsElsewhere(layout, traits, identity, there)
  if (!there || (isGone && isOther)) return []
  const before = storedValues(traits, identity, there)
  const { one } = type as DeclaredEdge
  const keys = isOther ? keepers.filter(({ name }) => name !== one).map(end => endOf(layout, end, before).key) : []
  const after = verb === 'update' ? changedValues(traits, before, change) : set
  const left = sidesOf(layout, type, isGone ? undefined : after)
  for (const [text, { item, kind }] of sidesOf(layout, type, before))
    if (mirrors.includes(kind) && !left.has(text)) keys.push(keyOf(layout.names, item))
  return keys
}

/** Whether the one edge that a node has is another than the change means. */
function leadsElsewhere({ names }: Layout, { type, far }: Traits, identity: Slots, there: Item): boolean {
  return far.some(slot => !sameValue(there[names.of(type, slot)], identity[slot]))
}

/** Copies in an edge that was read and is put again must be what the nodes at its ends have now. */
function checkCarried(traits: Traits, { derived = {} }: Change, carried: Slots, values: Slots, about: About): void {
  for (const [slot, given] of Object.entries(derived)) {
    const now = carried[slot]
    const forms = storedForms(traits.type, slot, given, values, traits.fold)
    if (!now || !forms.some(form => sameValue(form, now))) throw refusalError('write.derived', about, slot)
  }
}

/** What an edge copies from the nodes at its ends: as this request makes them, or as they are. */
function carriedValues(writes: Writes, type: DeclaredEdge, values: Slots, about: About): Slots {
  const copies: Record<string, AttributeValue> = {}
  const { names } = writes.layout
  for (const { as, end, attribute } of type.carry) {
    const at = endNamed(type, end)!
    const { identity, key } = endOf(writes.layout, at, values)
    const made = writes.at(key)
    const source = made?.own ? made.after : writes.before(key)
    if (!identity[attribute] && (!source || source[names.going]))
      throw refusalError('edge.carry.absent', { ...about, type: at.node.name, identity }, as)
    const value = copiedFrom(writes.layout, at, attribute, identity, source)
    if (value) copies[as] = value
  }
  return copies
}

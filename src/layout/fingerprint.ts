import { innerMembersOf } from '../schema/checks/attributes.js'
import type { AttributeKind, DeclaredAttribute, DeclaredCount, DeclaredEdge } from '../schema/declarations.js'
import { findEnd } from '../schema/edge/ends.js'
import { mapValues } from '../schema/map-values.js'
import type { TableDesign } from './design.js'
import { isBounded, widthOf } from './keys/key-text-codec.js'
import type { Slot } from './keys/template.js'
import type { Kind } from './kinds.js'
import { referencesOf } from './row-members.js'
import { storedSlots } from './slots.js'
import type { StoredNames } from './stored-names.js'

/**
 * The parts of a layout that decide where items are stored and how they are read, as plain data. The table stores it,
 * so that `open` can report what changed.
 */
export interface LayoutShape {
  readonly keys: TableDesign['keys']
  readonly tenant: boolean
  readonly type: string
  readonly indexes: Readonly<Record<string, unknown>>
  readonly kinds: Readonly<Record<string, unknown>>
}

export function layoutShapeOf(
  { indexes, keys, tenant }: TableDesign,
  kinds: readonly Kind[],
  names: StoredNames,
): LayoutShape {
  return {
    keys,
    tenant,
    type: names.type,
    indexes: Object.fromEntries(
      indexes.map(({ name, kind, partition, sort }) => [name, [kind, partition.join(), sort.join()]]),
    ),
    kinds: Object.fromEntries(
      kinds.map(({ name, role, typeMark, constantAttributes, type, keys: templates, shards, storedKeySlots }) => [
        name,
        {
          role,
          mark: typeMark,
          marks: constantAttributes,
          shards,
          keys: mapValues(templates, ({ source, mode, separator, fold, slots }) =>
            [source, mode, separator, fold, ...keyEncodingsOf(slots)].join(' '),
          ),
          held: storedKeySlots.length > 0 ? [...new Set(storedKeySlots)].sort() : undefined,
          expires: type.expires,
          timed: type.expires && names.configuredExpires,
          // An undirected edge without a mirror is stored under its lesser end, which its keys do not show.
          undirected:
            ((type as DeclaredEdge).undirected && !kinds.some(other => other.memberName && other.type === type)) ||
            undefined,
          kept: role === 'edge' ? aggregateRulesOf(type as DeclaredEdge, names) : undefined,
          attributes: attributesOf(type, names),
        },
      ]),
    ),
  }
}

const TEXT_KINDS: ReadonlySet<AttributeKind> = new Set(['string', 'oneOf', 'day', 'yearMonth', 'fixedText'])

/**
 * The details of key encodings that change stored keys. For a number with both bounds: its number of digits. For a text
 * at the end of a key: whether it is escaped, because a longer template begins alike.
 */
const keyEncodingsOf = (slots: readonly Slot[]): string[] =>
  slots.flatMap(({ name, type: { range, kind }, escaped }) =>
    isBounded(range)
      ? `${name}:${widthOf(range.min, range.max)}`
      : escaped === 'end' && TEXT_KINDS.has(kind)
        ? 'escaped'
        : [],
  )

/**
 * The stored attributes by slot: their kind, their stored name if it differs, and the renamed members inside them. Ends
 * and owners are listed by `$` and name with their type, because keys do not always show it.
 */
function attributesOf(type: Kind['type'], names: StoredNames): Record<string, string | undefined> {
  return Object.fromEntries([
    ...storedSlots(type).map(slot => {
      const stored = names.attributeOf(type, slot)
      const attribute = type.attributes[slot]
      const kind =
        attribute &&
        [storedKindOf(attribute.mapped?.inner ?? attribute), ...renamedMembersOf(attribute).sort()].join(' ')
      return [slot, stored === slot ? kind : `${stored} ${kind ?? 'reference'}`]
    }),
    ...referencesOf(type).map(({ name, node }) => [`$${name}`, node.name]),
  ])
}

/**
 * A text of a fixed width is stored like a string(), also in keys, so that one can become the other without a
 * deployment.
 */
const storedKindOf = ({ kind, format }: DeclaredAttribute): AttributeKind => (format ? 'string' : kind)

/** The members inside an attribute, at any depth, that are stored under another name, with that name. */
const renamedMembersOf = (attribute: DeclaredAttribute): string[] =>
  Object.entries(innerMembersOf(attribute)).flatMap(([name, member]) =>
    [member.storedAs, ...renamedMembersOf(member)].flatMap((stored = name) =>
      stored === name ? [] : `${name}:${stored}`,
    ),
  )

/** The rule of a tree with a closure, and of the closure. */
export const CLOSURE_RULE = '(closure)'

type CountOrSum = DeclaredCount & { readonly of?: string }

/**
 * The rules of an edge's counters, embedded entries and carried copies. A stored number has another meaning under
 * another rule.
 */
function aggregateRulesOf(edge: DeclaredEdge, names: StoredNames) {
  const rules = [
    ...[...(edge.count as readonly CountOrSum[]), ...edge.sum].map(
      ({ end, into, by, where = {}, of }) => [`${end}.${into}`, of ? [by, where, of] : [by, where]] as const,
    ),
    ...edge.embed.map(
      ({ end, into }) => [`${end}.${into}`, Object.keys(findEnd(edge, end)!.node.attributes[into]!.members!)] as const,
    ),
    // Another attribute of a closure needs values in all of its items. No declared name contains a parenthesis.
    ...(edge.closure === undefined ? [] : [[CLOSURE_RULE, edge.closure] as const]),
    ...(edge.closureOf === undefined
      ? []
      : [[CLOSURE_RULE, [edge.closureOf, ...Object.keys(edge.attributes).sort()]] as const]),
    ...edge.carry.map(({ copyName, end, attribute }) => [names.attributeOf(edge, copyName), [end, attribute]] as const),
  ]
  return rules.length > 0 ? Object.fromEntries(rules) : undefined
}

/**
 * Returns the fingerprint of a layout. The types of ends are excluded: they were added later, and tables of earlier
 * versions keep their fingerprints.
 */
export const fingerprintOf = (shape: LayoutShape): string =>
  toFnvHash(JSON.stringify(shape, (key, value) => (key[0] === '$' ? undefined : value)))

/** Hashes a text by FNV-1a with two seeds. The hash is short and not cryptographic; it only detects changes. */
export function toFnvHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map(seed => fnv1a(text, seed).toString(16).padStart(8, '0')).join('')
}

export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

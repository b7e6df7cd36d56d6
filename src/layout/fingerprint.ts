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

/** All that decides where items lie and how they are read, as plain data: what is kept in the table to tell what changed. */
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
          held: storedKeySlots[0] && [...new Set(storedKeySlots)].sort(),
          expires: type.expires,
          timed: type.expires && names.configuredExpires,
          // It lies under the lesser of its ends, of which its keys tell nothing where it has no mirror.
          undirected:
            ((type as DeclaredEdge).undirected && !kinds.some(each => each.memberName && each.type === type)) ||
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
 * Of numbers with both bounds: how many digits they have in a key. Of a text at the end of a key: whether it is escaped,
 * since another type has a longer one that begins alike.
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
 * By name: the kind of what is stored, and under which name where that is another; so of members within, where it is. By
 * `$` and the name of an end or an owner: its type, which need not show in any key.
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

/** A text of a fixed width is stored, also in keys, as a string() is: one can become the other without a deployment. */
const storedKindOf = ({ kind, format }: DeclaredAttribute): AttributeKind => (format ? 'string' : kind)

/** The members within an attribute, at any depth, that are stored under other names than their own, and those names. */
const renamedMembersOf = (attribute: DeclaredAttribute): string[] =>
  Object.entries(innerMembersOf(attribute)).flatMap(([name, member]) =>
    [member.storedAs, ...renamedMembersOf(member)].flatMap((each = name) => (each === name ? [] : `${name}:${each}`)),
  )

type CountOrSum = DeclaredCount & { readonly of?: string }

/** What an edge has copied and leaves in its nodes: the same number means another thing under another rule. */
function aggregateRulesOf(edge: DeclaredEdge, names: StoredNames) {
  const rules = [
    ...[...(edge.count as readonly CountOrSum[]), ...edge.sum].map(
      ({ end, into, by, where = {}, of }) => [`${end}.${into}`, of ? [by, where, of] : [by, where]] as const,
    ),
    ...edge.embed.map(
      ({ end, into }) => [`${end}.${into}`, Object.keys(findEnd(edge, end)!.node.attributes[into]!.members!)] as const,
    ),
    ...edge.carry.map(({ copyName, end, attribute }) => [names.attributeOf(edge, copyName), [end, attribute]] as const),
  ]
  return rules[0] && Object.fromEntries(rules)
}

/** Without the types of ends, which came later: those of tables from before are the same. */
export const fingerprintOf = (shape: LayoutShape): string =>
  toFnvHash(JSON.stringify(shape, (key, value) => (key[0] === '$' ? undefined : value)))

/** FNV-1a over two seeds: enough to tell layouts apart, and small. It is no secret. */
export function toFnvHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map(seed => fnv1a(text, seed).toString(16).padStart(8, '0')).join('')
}

export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

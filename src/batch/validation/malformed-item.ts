import type { Kind } from '../../layout/kinds.js'
import { identitySlotsOf, SHARD_SLOT, SHARD_TYPE } from '../../layout/slots.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import { sqlText } from '../sql-text.js'
import { decodeSlot } from '../views/decode-key.js'
import { slotText, storedJson } from '../views/slot-text.js'
import { storedAttribute } from '../views/typed-column.js'
import { keyPattern } from './key-pattern.js'

const TRUE = '1 = 1'

/** Whether only edgewise itself can compare the items of a kind, so that all of them are suspects. */
export function cannotBeCompared({ layout }: ProgramContext, { keys, type, typeMark }: Kind): boolean {
  return (
    // Raw keys cannot be decoded.
    Object.values(keys).some(({ mode }) => mode === 'raw') ||
    layout.kinds.filter(kind => kind.typeMark === typeMark).length > 1 ||
    Object.values(type.attributes).some(({ recomputation, rowBinding }) => recomputation?.compute || rowBinding) ||
    // The items of a facet over a set are as many as its members.
    layout.kinds.some(
      kind =>
        kind.type === type &&
        kind.role === 'facet' &&
        Object.values(kind.keys).some(key => key.slots.some(({ name }) => type.attributes[name]?.kind === 'set')),
    )
  )
}

/** The condition that an item of a kind cannot be as edgewise writes it, by its own attributes alone. */
export function isMalformed(context: ProgramContext, kind: Kind): string {
  if (cannotBeCompared(context, kind)) return TRUE
  const { layout, dialect } = context
  const { names } = layout
  const wrongKeys = names.keys.map(
    (name, at) => `NOT ${dialect.matches(at === 0 ? 'pk' : 'sk', keyPattern(kind.keys[name]!))}`,
  )
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  return [
    ...wrongKeys,
    ...Object.keys(kind.indexKeySlots).map(name => hasWrongIndexKey(context, kind, name)),
    ...(isOwn
      ? Object.entries(kind.type.attributes).map(([slot, each]) => hasWrongValue(context, kind, slot, each))
      : []),
    ...(isOwn ? [hasWrongExpiry(context, kind)] : []),
    ...(isOwn ? [] : identitySlotsOf(kind.type).map(slot => `${slotText(context, kind, slot)} IS NULL`)),
  ].join(' OR ')
}

/** A key of an index is there if all of its values are, and holds them. */
function hasWrongIndexKey(context: ProgramContext, kind: Kind, name: string): string {
  const { layout, dialect } = context
  const template = kind.keys[name]!
  const stored = dialect.jsonText('item', [name, layout.design.attributes[name] ?? 'S'])
  const lists = kind.indexKeySlots[name]!.map(slots =>
    [...new Set(slots)].map(slot => `${slotText(context, kind, slot)} IS NOT NULL`).join(' AND '),
  )
  const isRequired = `(${lists.map(list => (list === '' ? TRUE : `(${list})`)).join(' OR ')})`
  const differs = template.slots
    .filter(({ type }) => type !== SHARD_TYPE)
    .map(
      ({ name: slot }) =>
        `${decodeSlot(dialect, template, stored, slot)} IS DISTINCT FROM ${slotText(context, kind, slot)}`,
    )
  const shards = kind.shards[name]
  const isOtherShard =
    shards === undefined
      ? []
      : [`try_cast(${decodeSlot(dialect, template, stored, SHARD_SLOT)} AS BIGINT) >= ${shards}`]
  const wrong = [
    `${stored} IS NULL`,
    `NOT ${dialect.matches(stored, keyPattern(template))}`,
    ...differs,
    ...isOtherShard,
  ]
  return `CASE WHEN ${isRequired} THEN ${wrong.join(' OR ')} ELSE ${dialect.json('item', [name])} IS NOT NULL END`
}

/** A value is there unless it may be absent, and has the type of its attribute. */
function hasWrongValue(context: ProgramContext, kind: Kind, slot: string, attribute: DeclaredAttribute): string {
  if (kind.slotsInKey.has(slot)) return '1 = 0'
  const stored = storedJson(context, kind, slot)
  const mayBeAbsent = attribute.optional || attribute.derived
  const isAbsent = `${stored} IS NULL`
  const wrong = `coalesce(NOT (${hasType(context, stored, storedAttribute(attribute))}), ${TRUE})`
  return mayBeAbsent ? `(NOT ${isAbsent} AND ${wrong})` : `(${isAbsent} OR ${wrong})`
}

const SET_TYPES = ['SS', 'NS', 'BS']
const INSTANT = '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z'

/** Whether a stored value has the type of an attribute. Members, and texts of a format, are not checked. */
function hasType(
  { dialect }: ProgramContext,
  stored: string,
  { kind, type, range, values }: DeclaredAttribute,
): string {
  const text = (name: string) => dialect.jsonText(stored, [name])
  const isThere = (name: string) => `${dialect.json(stored, [name])} IS NOT NULL`
  switch (kind) {
    case 'integer': {
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range ?? {}
      return `${dialect.integer(text('N'))} BETWEEN ${min} AND ${max}`
    }
    case 'bigint':
      return `NOT contains(${text('N')}, '.')`
    case 'boolean':
      return `${text('BOOL')} IN ('true', 'false')`
    case 'date':
      return `${dialect.matches(text('S'), INSTANT)} AND ${dialect.timestamp(text('S'))} IS NOT NULL`
    case 'oneOf':
      return `${text('S')} IN (${values!.map(sqlText).join(', ')})`
    case 'set':
      return SET_TYPES.map(isThere).join(' OR ')
    default:
      return type === undefined ? TRUE : isThere(type)
  }
}

/** The time to live is in seconds, rounded down, and only in items of a type that expires. */
function hasWrongExpiry({ layout, dialect }: ProgramContext, { type }: Kind): string {
  const { names } = layout
  const expires = type.expires
  if (expires === undefined) return names.configuredExpires ? '1 = 0' : 'expires IS NOT NULL'
  const date = dialect.jsonText('item', [names.attributeOf(type, expires), 'S'])
  return `expires IS DISTINCT FROM ${dialect.epochSeconds(date)}`
}

import type { Kind } from '../../layout/kinds.js'
import { tableKeySlots } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf, referenceSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { keyOfSlot, slotText, storedJson } from '../views/slot-text.js'
import { closureQueries } from './closure-queries.js'
import { cannotBeCompared, isMalformed } from './malformed-item.js'

/** A key that has more characters may be too long, so that a hash replaces it. */
const LONG_CHARACTERS = 400

/**
 * A query of the keys of all items that may be wrong. It compares sets of items, so that an engine for many machines can
 * run it; edgewise inspects the items that it returns, one by one. It may return a correct item.
 */
export function suspectQuery(context: ProgramContext): string {
  const { kinds } = context.layout
  const own = kinds.filter(({ role }) => role === 'node' || role === 'edge')
  const queries = [
    unknownItems(context),
    ...kinds.map(kind => `SELECT pk, sk FROM ${ITEMS} WHERE ${isOf(kind)} AND (${isMalformed(context, kind)})`),
    ...own.flatMap(kind =>
      kinds.filter(side => side.type === kind.type && side !== kind).flatMap(side => sideQueries(context, kind, side)),
    ),
    ...own.flatMap(kind => endQueries(context, kind)),
    ...own.flatMap(kind => closureQueries(context, kind)),
  ]
  return `SELECT DISTINCT pk, sk FROM (${queries.join('\n UNION ALL ')})`
}

const isOf = ({ typeMark }: Kind, alias = '') => `${alias}mark = ${sqlText(typeMark)}`

/** Items without the mark of a type, and nodes whose deletion has not ended. */
function unknownItems({ layout: { kinds } }: ProgramContext): string {
  const marks = [...new Set(kinds.map(({ typeMark }) => sqlText(typeMark)))]
  return `SELECT pk, sk FROM ${ITEMS} WHERE mark IS NULL OR mark NOT IN (${marks.join(', ')}) OR deleting`
}

/** The texts of slots of the items of a kind, as columns `s0`, `s1` and so on, with more columns. */
function slotTable(context: ProgramContext, kind: Kind, slots: readonly string[], more: readonly string[]): string {
  const texts = slots.map((slot, at) => `${slotText(context, kind, slot)} AS s${at}`)
  return `SELECT ${['pk', 'sk', ...texts, ...more].join(', ')} FROM ${ITEMS} WHERE ${isOf(kind)}`
}

const tenantSlots = ({ design }: Layout) => (design.tenant ? [TENANT_SLOT] : [])

/** Mirrors, facets and sentinels: each that the values of a row require, and no other. */
function sideQueries(context: ProgramContext, own: Kind, side: Kind): string[] {
  const { layout } = context
  if (cannotBeCompared(context, own)) return []
  const identity = own.type.kind === 'node' ? identitySlotsOf(own.type) : []
  const slots = [...new Set([...tenantSlots(layout), ...tableKeySlots(side, layout.names), ...identity])]
  const compared = side.role === 'mirror' ? mirroredAttributes(context, own, side) : []
  const values = [...compared.map((json, at) => `CAST(${json} AS STRING) AS v${at}`), 'expires']
  const present = slots.map((_, at) => `s${at} IS NOT NULL`).join(' AND ')
  const all = slotTable(context, own, slots, values)
  const required = `SELECT * FROM (${all}) WHERE ${present}`
  const found = slotTable(context, side, slots, [...values, `${isMalformed(context, side)} AS malformed`])
  const match = slots.map((_, at) => `own.s${at} = side.s${at}`).join(' AND ')
  const differs = [...compared.map((_, at) => `v${at}`), 'expires'].map(
    name => `own.${name} IS DISTINCT FROM side.${name}`,
  )
  const wrong = ['side.pk IS NULL', 'side.malformed', ...differs].join(' OR ')
  const joined = (kind: 'LEFT' | 'RIGHT') => `FROM (${required}) AS own ${kind} JOIN (${found}) AS side ON ${match}`
  return [
    `SELECT own.pk, own.sk ${joined('LEFT')} WHERE (${wrong}) AND NOT (${isSelfLoop(own)})`,
    `SELECT side.pk, side.sk ${joined('RIGHT')} WHERE own.pk IS NULL`,
    ...(side.role === 'unique'
      ? [
          `SELECT pk, sk FROM (${all}) WHERE ${slots.map((_, at) => `length(coalesce(s${at}, ''))`).join(' + ')} > ${LONG_CHARACTERS}`,
        ]
      : []),
  ]

  /** An undirected edge of a node with itself has no mirror. */
  function isSelfLoop({ type }: Kind): string {
    if (type.kind === 'node' || !type.undirected) return '1 = 0'
    const [one, other] = type.ends.map(end => referenceSlots(end).map(slot => `own.s${slots.indexOf(slot)}`))
    return one!.map((column, at) => `${column} = ${other![at]}`).join(' AND ')
  }
}

/** The etag, and the attributes that both items of an edge store. */
function mirroredAttributes(context: ProgramContext, own: Kind, side: Kind): string[] {
  const { layout, dialect } = context
  const { attributes } = own.type
  const stored = Object.keys(attributes).filter(slot => [own, side].every(kind => !kind.slotsInKey.has(slot)))
  return [
    dialect.json('item', [layout.names.etag]),
    ...stored.map(slot => dialect.json('item', [layout.names.attributeOf(own.type, slot)])),
  ]
}

/** Edges without a node, copies that differ from their source, and nodes without their owner. */
function endQueries(context: ProgramContext, kind: Kind): string[] {
  const { type } = kind
  if (type.kind === 'node') {
    const { within, onDelete } = type
    if (!within || onDelete === 'leave') return []
    return [endQuery(context, kind, { name: within.name, node: within }, [])]
  }
  return type.ends.map(end =>
    endQuery(
      context,
      kind,
      end,
      type.carry.filter(carry => carry.end === end.name),
    ),
  )
}

function endQuery(
  context: ProgramContext,
  kind: Kind,
  end: Pick<DeclaredEnd, 'name' | 'node'>,
  carried: DeclaredEdge['carry'],
): string {
  const { layout } = context
  const node = layout.kinds.find(({ type, role }) => type === end.node && role === 'node')!
  const tenant = tenantSlots(layout)
  const json = (of: Kind, slot: string) => `CAST(${storedJson(context, of, slot)} AS STRING)`
  // The copy of a part of an id is compared as text, since the key of the node holds it.
  const source = (slot: string) =>
    keyOfSlot(layout, node, slot) === undefined ? json(node, slot) : slotText(context, node, slot)
  const copy = (copyName: string, slot: string) =>
    keyOfSlot(layout, node, slot) === undefined ? json(kind, copyName) : slotText(context, kind, copyName)
  const edges = slotTable(
    context,
    kind,
    [...tenant, ...referenceSlots(end as DeclaredEnd)],
    [...carried.map(({ copyName, attribute }, at) => `${copy(copyName, attribute)} AS c${at}`)],
  )
  const nodes = slotTable(
    context,
    node,
    [...tenant, ...identitySlotsOf(end.node as DeclaredNode)],
    [...carried.map(({ attribute }, at) => `${source(attribute)} AS c${at}`)],
  )
  const slots = [...tenant, ...referenceSlots(end as DeclaredEnd)]
  const match = slots.map((_, at) => `one.s${at} = other.s${at}`).join(' AND ')
  const differs = carried.map((_, at) => ` OR one.c${at} IS DISTINCT FROM other.c${at}`).join('')
  return `SELECT one.pk, one.sk FROM (${edges}) AS one LEFT JOIN (${nodes}) AS other ON ${match}
    WHERE other.pk IS NULL${differs}`
}

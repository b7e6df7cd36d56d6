import { treeEndsOf } from '../../layout/items/tree.js'
import { type Kind, tableKeySlots } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf, referenceSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { isClosure } from '../../schema/edge/closure.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import { create, type SqlStep } from '../algorithms/program.js'
import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { slotText } from '../views/slot-text.js'
import { keyPattern } from './key-pattern.js'

/** The table of the keys of suspects, and the tables of the keys that edgewise reads to inspect them. */
export const SUSPECTS = 'suspects'
export const RELATED = 'related'
const NEAR = 'related_nearby'

/** From the items of one kind to those of another whose key has the values of these slots. */
interface Relation {
  readonly from: Kind
  readonly to: Kind
  readonly slots: readonly (readonly [from: string, to: string])[]
}

/**
 * The table of the keys of all items that an inspection of the suspects reads: the mirrors, facets and sentinels of a row,
 * the nodes at its ends, the edges of a tree and its closure, and the owner of each of these side items.
 */
export function relatedItems(context: ProgramContext): SqlStep[] {
  const { kinds } = context.layout
  const toOwners = kinds.filter(isSide).map((side): Relation => toOwner(context, side))
  const all = [...toOwners, ...kinds.flatMap(kind => (isSide(kind) ? [] : fromOwn(context, kind)))]
  return [
    create(NEAR, related(context, SUSPECTS, all)),
    create(
      RELATED,
      `SELECT DISTINCT pk, sk FROM (SELECT pk, sk FROM ${NEAR} UNION ALL ${related(context, NEAR, toOwners)})`,
    ),
  ]
}

const isSide = ({ role }: Kind) => role !== 'node' && role !== 'edge'

function toOwner({ layout }: ProgramContext, side: Kind): Relation {
  const to = layout.kinds.find(({ type, role }) => type === side.type && !isSide({ role } as Kind))!
  return { from: side, to, slots: tableKeySlots(to, layout.names).map(slot => [slot, slot]) }
}

function fromOwn({ layout }: ProgramContext, from: Kind): Relation[] {
  const { type } = from
  const tenant = layout.design.tenant ? [[TENANT_SLOT, TENANT_SLOT] as const] : []
  const sides = layout.kinds
    .filter(kind => kind.type === type && isSide(kind))
    .map((to): Relation => ({ from, to, slots: tableKeySlots(to, layout.names).map(slot => [slot, slot]) }))
  const owner = type.kind === 'node' && type.within ? [{ name: type.within.name, node: type.within }] : []
  const references = type.kind === 'edge' ? type.ends : owner
  const ends = references.map((reference): Relation => {
    const to = layout.kinds.find(kind => kind.type === reference.node && kind.role === 'node')!
    const slots = referenceSlots(reference).map((slot, at) => [slot, identitySlotsOf(reference.node)[at]!] as const)
    return { from, to, slots: [...tenant, ...slots] }
  })
  return [...sides, ...ends, ...toClosure(layout, from, tenant)]
}

/** From an edge of a tree to the edge above and to its closure, and from an edge of a closure to the tree. */
function toClosure({ kinds }: Layout, from: Kind, tenant: Relation['slots']): Relation[] {
  const { type } = from
  if (type.kind === 'node') return []
  const kindOf = (name: string) => kinds.find(kind => kind.name === name)!
  const sameChild = (tree: DeclaredEdge) => {
    const { child } = treeEndsOf(tree)
    return [...tenant, ...referenceSlots(child).map(slot => [slot, slot] as const)]
  }
  if (isClosure(type)) {
    const to = kindOf(type.closureOf)
    return [{ from, to, slots: sameChild(to.type as DeclaredEdge) }]
  }
  if (type.closure === undefined) return []
  const { child, parent } = treeEndsOf(type)
  const childSlots = referenceSlots(child)
  const above = referenceSlots(parent).map((slot, at) => [slot, childSlots[at]!] as const)
  return [
    { from, to: from, slots: [...tenant, ...above] },
    { from, to: kindOf(type.closure), slots: sameChild(type) },
  ]
}

/** The keys of the items that these relations lead to, from the items whose keys are in a table. */
function related(context: ProgramContext, table: string, relations: readonly Relation[]): string {
  const queries = relations.map(relation => {
    const { from, to, slots } = relation
    const one = slotTable(
      context,
      from,
      slots.map(([slot]) => slot),
      `JOIN ${table} USING (pk, sk)`,
    )
    const other = slotTable(
      context,
      to,
      slots.map(([, slot]) => slot),
      '',
    )
    const match = slots.map((_, at) => `one.s${at} = other.s${at}`).join(' AND ')
    return `SELECT other.pk, other.sk FROM (${one}) AS one JOIN (${other}) AS other ON ${match}`
  })
  const none = `SELECT pk, sk FROM ${ITEMS} WHERE 1 = 0`
  return `SELECT DISTINCT pk, sk FROM (${[none, ...queries, ...hashedSentinels(context)].join('\n UNION ALL ')})`
}

/**
 * The slots of the items of a kind. An item without its mark is read too, because its key says which kind it is. Keys that
 * cannot be decoded need the mark.
 */
function slotTable(context: ProgramContext, kind: Kind, slots: readonly string[], join: string): string {
  const texts = slots.map((slot, at) => `${slotText(context, kind, slot)} AS s${at}`)
  return `SELECT ${['pk', 'sk', ...texts].join(', ')} FROM ${ITEMS} ${join}
    WHERE mark = ${sqlText(kind.typeMark)} OR (${fitsKind(context, kind)})`
}

function fitsKind({ layout, dialect }: ProgramContext, kind: Kind): string {
  const templates = layout.names.keys.map(name => kind.keys[name]!)
  if (templates.some(({ mode }) => mode === 'raw')) return '1 = 0'
  return templates.map((template, at) => dialect.matches(at === 0 ? 'pk' : 'sk', keyPattern(template))).join(' AND ')
}

/** Sentinels of long values, whose keys are hashes. There are few. */
function hashedSentinels({ layout, dialect }: ProgramContext): string[] {
  return layout.kinds.flatMap(kind => {
    const hashed = kind.keys[layout.names.partition]?.hashedTemplate
    return hashed
      ? [
          `SELECT pk, sk FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)} AND ${dialect.matches('pk', keyPattern(hashed))}`,
        ]
      : []
  })
}

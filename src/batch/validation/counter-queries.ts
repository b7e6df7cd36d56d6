import { talliedSumsOf, tallyName } from '../../layout/items/tally.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf, referenceSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredSum } from '../../schema/declarations.js'
import { idText, type ProgramContext } from '../algorithms/graph-tables.js'
import { ITEMS } from '../sources/item-table.js'
import { itemText } from '../sources/item-text.js'
import { sqlText } from '../sql-text.js'
import { slotText } from '../views/slot-text.js'

/** A counter of a node, and the query that recounts it. */
export interface CounterQuery {
  readonly node: Kind
  readonly code: 'counter.drift' | 'counter.behind' | 'edges.uncounted'
  /** The attribute, as it is declared. */
  readonly name: string
  /** Columns: the key of a node, the `expected` and the `found` text, and whether the sums are `exact`. */
  readonly sql: string
  /** The amounts of the edges of some nodes: the keys of the nodes and texts. `nodes` is a query of the keys. */
  readonly amounts: ((nodes: string) => string) | undefined
  readonly hiddenEdges: HiddenEdges | undefined
}

type Counter = DeclaredCount & Partial<DeclaredSum>

/** One side of a counter: the items of an edge, seen from an end. */
interface Side {
  readonly kind: Kind
  readonly end: DeclaredEnd
  readonly counter: Counter
}

/** Queries for every counter, sum and tally of a graph. */
export function counterQueries(context: ProgramContext): CounterQuery[] {
  const { layout } = context
  return layout.graph.declared.edges.flatMap(edge => {
    const kind = layout.kinds.find(each => each.type === edge && each.role === 'edge')!
    const all: Counter[] = [...edge.count, ...edge.sum]
    const intos = new Map(all.map(counter => [`${nodeAt(edge, counter).name}.${counter.into}`, counter]))
    return [...intos.values()].flatMap(counter => {
      const sides = all
        .filter(each => each.into === counter.into && nodeAt(edge, each) === nodeAt(edge, counter))
        .map((each): Side => ({ kind, counter: each, end: edge.ends.find(({ name }) => name === each.end)! }))
      return [recount(context, sides), ...tallyQuery(context, edge, sides)]
    })
  })
}

const nodeAt = ({ ends }: DeclaredEdge, { end }: DeclaredCount) => ends.find(({ name }) => name === end)!.node

const nodeKind = ({ kinds }: Layout, { node }: DeclaredEnd): Kind =>
  kinds.find(({ type, role }) => type === node && role === 'node')!

/** The id of the node at an end of an edge. */
function endId(context: ProgramContext, kind: Kind, end: DeclaredEnd): string {
  const slots = [...(context.layout.design.tenant ? [TENANT_SLOT] : []), ...referenceSlots(end)]
  return idText(slots.map(slot => `(${slotText(context, kind, slot)})`))
}

/**
 * The edges of nodes that cannot find them by a path: the keys of the nodes, and the items of the edges. `nodes` is a
 * query of the keys of nodes.
 */
export type HiddenEdges = (nodes: string) => string

/** Undefined if each end has a path, so that the live node finds its edges. */
export function hiddenEdgesQuery(
  context: ProgramContext,
  node: Kind,
  sides: readonly Pick<Side, 'kind' | 'end'>[],
): HiddenEdges | undefined {
  if (sides.every(({ end }) => end.by.as !== 'none')) return undefined
  const edges = sides.map(
    ({ kind, end }) =>
      `SELECT ${endId(context, kind, end)} AS id, item FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)}`,
  )
  return suspects => `SELECT node.pk, node.sk, ${itemText('edges.')} FROM (${suspects}) AS suspects
    JOIN (${nodes(context, node, '')}) AS node USING (pk, sk)
    JOIN (${edges.join(' UNION ALL ')}) AS edges ON edges.id = node.id`
}

/** The amounts that the edges of a side add: the id of the node, and the amount as text. */
function contributions(context: ProgramContext, { kind, end, counter }: Side): string {
  const id = endId(context, kind, end)
  const amount = counter.of === undefined ? "'1'" : slotText(context, kind, counter.of)
  const conditions = Object.entries(counter.where ?? {}).map(([slot, values]) => {
    const texts = values.map(({ S, N, BOOL }) => sqlText(S ?? N ?? String(BOOL)))
    return ` AND ${slotText(context, kind, slot)} IN (${texts.join(', ')})`
  })
  return `SELECT ${id} AS id, ${amount} AS amount FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)}${conditions.join('')}`
}

/** The nodes of a kind with their ids as edges refer to them, and the text of a stored number. */
function nodes(context: ProgramContext, kind: Kind, stored: string): string {
  const { layout, dialect } = context
  const slots = [...(layout.design.tenant ? [TENANT_SLOT] : []), ...identitySlotsOf(kind.type)]
  const id = idText(slots.map(slot => `(${slotText(context, kind, slot)})`))
  const found = dialect.jsonText('item', [stored, 'N'])
  return `SELECT pk, sk, ${id} AS id, ${found} AS found FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)}`
}

/** Numbers that a decimal of SQL holds exactly. Others are summed by edgewise itself. */
const EXACT = '-?[0-9]{1,18}(\\.[0-9]{1,10})?'
const decimal = (text: string) => `try_cast(${text} AS DECIMAL(38, 10))`

function recount(context: ProgramContext, sides: readonly Side[]): CounterQuery {
  const { layout, dialect } = context
  const [{ end, counter, kind }] = sides as [Side]
  const node = nodeKind(layout, end)
  const stored = layout.names.attributeOf(node.type, counter.into)
  const edges = sides.map(side => contributions(context, side)).join(' UNION ALL ')
  const isWhole = counter.of === undefined || kind.type.attributes[counter.of]?.kind === 'integer'
  // An edge may hold any number, though its attribute is an integer.
  const isExact = (text: string) => (isWhole ? `${dialect.integer(text)} IS NOT NULL` : dialect.matches(text, EXACT))
  const value = (text: string) =>
    isWhole
      ? `CAST(${dialect.integer(text)} AS ${dialect.wideInteger})`
      : `CASE WHEN ${isExact(text)} THEN ${decimal(text)} END`
  const sums = `SELECT id, sum(${value('amount')}) AS total, min(CASE WHEN ${isExact('amount')} THEN 1 ELSE 0 END) AS exact
    FROM (${edges}) WHERE amount IS NOT NULL GROUP BY id`
  const found = `coalesce(node.found, '0')`
  const isFoundExact = dialect.matches(found, isWhole ? '-?[0-9]{1,18}' : EXACT)
  const sql = `SELECT pk, sk, CAST(coalesce(sums.total, 0) AS STRING) AS expected, node.found,
      coalesce(sums.exact, 1) = 1 AS exact
    FROM (${nodes(context, node, stored)}) AS node LEFT JOIN (${sums}) AS sums ON sums.id = node.id
    WHERE coalesce(sums.exact, 1) = 0 OR NOT ${isFoundExact}
      OR coalesce(sums.total, 0) IS DISTINCT FROM CASE WHEN ${isFoundExact} THEN ${decimal(found)} END`
  const amounts = (inexact: string) => `SELECT node.pk, node.sk, edges.amount FROM (${inexact}) AS inexact
    JOIN (${nodes(context, node, stored)}) AS node USING (pk, sk)
    JOIN (${edges}) AS edges ON edges.id = node.id WHERE edges.amount IS NOT NULL`
  const isStreamed = sides.some(side => side.counter.by === 'stream')
  return {
    node,
    code: isStreamed ? 'counter.behind' : 'counter.drift',
    name: counter.into,
    sql,
    amounts,
    hiddenEdges: hiddenEdgesQuery(context, node, sides),
  }
}

/** The hidden number of edges behind a sum: 1 for the node, and 2 for each edge. */
function tallyQuery(context: ProgramContext, edge: DeclaredEdge, sides: readonly Side[]): CounterQuery[] {
  const { layout } = context
  const tallied = sides.filter(({ counter }) => talliedSumsOf(edge).some(sum => sum === counter))
  const [side] = tallied
  if (!side) return []
  const node = nodeKind(layout, side.end)
  const stored = tallyName(layout.names.attributeOf(node.type, side.counter.into))
  const edges = tallied.map(each => contributions(context, { ...each, counter: withoutSum(each.counter) }))
  const sums = `SELECT id, 2 * count(*) AS total FROM (${edges.join(' UNION ALL ')}) GROUP BY id`
  const sql = `SELECT pk, sk, CAST(1 + coalesce(sums.total, 0) AS STRING) AS expected, node.found, true AS exact
    FROM (${nodes(context, node, stored)}) AS node LEFT JOIN (${sums}) AS sums ON sums.id = node.id
    WHERE node.found IS DISTINCT FROM CAST(1 + coalesce(sums.total, 0) AS STRING)`
  const hiddenEdges = hiddenEdgesQuery(context, node, tallied)
  return [{ node, code: 'edges.uncounted', name: side.counter.into, sql, amounts: undefined, hiddenEdges }]
}

const withoutSum = ({ of: _, ...counter }: Counter): DeclaredCount => counter

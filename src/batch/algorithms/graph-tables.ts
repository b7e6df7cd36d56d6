import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, identitySlotsOf, referenceSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { GraphError } from '../../schema/error.js'
import type { Dialect } from '../dialect.js'
import { ITEMS } from '../sources/item-table.js'
import { sqlName, sqlText } from '../sql-text.js'
import { isAlive, type TypeView } from '../views/create-views.js'
import { slotText } from '../views/slot-text.js'
import { create, type SqlStep } from './program.js'

/** A layout and the views of its types, from which a program is made. */
export interface ProgramContext {
  readonly layout: Layout
  readonly dialect: Dialect
  readonly views: readonly TypeView[]
  /** The moment of the data in milliseconds since 1970: a number or an expression of SQL. */
  readonly momentMs: number | string
}

/** Which edges of a graph a computation follows. */
export interface LinkOptions {
  /** The type of edge, or several types. */
  readonly edge: string | readonly string[]
  /** The end that a link begins at; by default the first end that is declared. */
  readonly from?: string | undefined
  /** The attribute with the weight of an edge; 1 by default. */
  readonly weight?: string | undefined
}

/** The view of a type. */
export function viewOf({ views }: ProgramContext, name: string): TypeView {
  const view = views.find(({ kind }) => kind.type.name === name)
  if (view) return view
  const known = views.map(({ kind }) => kind.type.name).join(', ')
  throw new GraphError('batch.job', `job: the graph has no type '${name}'; use one of ${known}.`, { name })
}

function edgeView(context: ProgramContext, name: string): { readonly view: TypeView; readonly edge: DeclaredEdge } {
  const view = viewOf(context, name)
  const { type } = view.kind
  if (type.kind === 'edge') return { view, edge: type }
  throw new GraphError('batch.job', `job: '${name}' is a node; name an edge.`, { name })
}

const columnOf = (view: TypeView, slot: string) => view.columns.find(column => column.slot === slot)!.name

/** The slots that identify a row of a type, with the tenant first. */
export const identityColumns = (view: TypeView, { design }: Layout): string[] => [
  ...(design.tenant ? [columnOf(view, TENANT_SLOT)] : []),
  ...identitySlotsOf(view.kind.type).map(slot => columnOf(view, slot)),
]

/** The items of a type with their keys and the columns that identify them. */
export function identityQuery(context: ProgramContext, view: TypeView): string {
  const names = identityColumns(view, context.layout)
  const columns = view.columns.filter(({ name }) => names.includes(name))
  const selected = columns.map(({ name, sql }) => `${sql} AS ${sqlName(name)}`)
  return `SELECT ${['pk', 'sk', ...selected].join(', ')} FROM ${ITEMS} WHERE ${isAlive(view.kind, context.momentMs)}`
}

/** Parts of an identity as one text, which no other parts make. */
export function idText(columns: readonly string[]): string {
  const texts = columns.map(name => `CAST(${name} AS STRING)`)
  return texts.length === 1 ? texts[0]! : texts.map(text => `length(${text}) || ':' || ${text}`).join(' || ')
}

const tenantSlots = ({ design }: Layout) => (design.tenant ? [TENANT_SLOT] : [])

/**
 * The id of a node as one text: that of its only part, or its parts with `#` in between. Within a part of several, `$`
 * stands before `#` and before characters that sort up to `$`.
 */
function publicId({ dialect }: ProgramContext, parts: readonly string[]): string {
  if (parts.length === 1) return parts[0]!
  return parts.map(part => dialect.replaceAll(part, '([\\x00-\\x24])', '$\\1')).join(" || '#' || ")
}

/**
 * The table `vertices`: a number for each node of these types, with its type, its tenant, its key, and three texts: its
 * identity with the tenant as `ref`, its id as `id`, and its id with the type before it as `label`, if there are several
 * types.
 */
function vertexTable(context: ProgramContext, types: readonly DeclaredType[]): SqlStep {
  const { layout } = context
  const nodes = types.map(type => {
    const { kind } = viewOf(context, type.name)
    const slots = identitySlotsOf(type)
    const columns = [...tenantSlots(layout), ...slots].map(
      (slot, at) => `${slotText(context, kind, slot)} AS part_${at}`,
    )
    const names = columns.map((_, at) => `part_${at}`)
    const id = publicId(context, names.slice(names.length - slots.length))
    const tenant = layout.design.tenant ? names[0]! : "''"
    const query = `SELECT pk, sk, ${columns.join(', ')} FROM ${ITEMS} WHERE ${isAlive(kind, context.momentMs)}`
    return `SELECT ${sqlText(type.name)} AS type, ${tenant} AS tenant, ${idText(names)} AS ref, ${id} AS id, pk, sk FROM (${query})`
  })
  const label = types.length > 1 ? "type || '#' || id" : 'id'
  const query = `SELECT type, tenant, ref, id, ${label} AS label, pk, sk
    FROM (${nodes.join(' UNION ALL ')}) WHERE ref IS NOT NULL`
  return create('vertices', context.dialect.numbered('v', query, 'pk, sk'))
}

/** The types of the nodes that these edges connect. */
export const typesOfEdges = (context: ProgramContext, edges: LinkOptions['edge']): DeclaredType[] => [
  ...new Set([edges].flat().flatMap(name => edgeView(context, name).edge.ends.map(({ node }) => node))),
]

/**
 * The tables `vertices` and `links`: each edge from one vertex to another with its weight. An undirected edge links both
 * ways. Edges that lead to a missing node are left out.
 */
export function graphTables(context: ProgramContext, options: LinkOptions): SqlStep[] {
  const edges = [options.edge].flat().map(name => edgeView(context, name))
  const types = typesOfEdges(context, options.edge)
  const links = edges.map(({ view, edge }) => linkQuery(context, view, edge, options))
  const joined = `SELECT a.v AS src, b.v AS dst, e.weight FROM (${links.join(' UNION ALL ')}) AS e
    JOIN vertices AS a ON a.type = e.src_type AND a.ref = e.src_id
    JOIN vertices AS b ON b.type = e.dst_type AND b.ref = e.dst_id`
  return [vertexTable(context, types), create('links', joined)]
}

function linkQuery(context: ProgramContext, view: TypeView, edge: DeclaredEdge, options: LinkOptions): string {
  const { from, weight } = options
  const start = from === undefined ? edge.ends[0] : findEnd(edge, from)
  if (!start)
    throw new GraphError('batch.job', `job: the edge '${edge.name}' has no end '${from}'; name one of its ends.`)
  const other = edge.ends.find(end => end !== start)!
  const value = weight === undefined ? 'CAST(1 AS DOUBLE)' : weightSql(view, weight)
  const slotsOf = ({ name, node }: DeclaredEnd) => [...tenantSlots(context.layout), ...referenceSlots({ name, node })]
  const end = (own: DeclaredEnd) => idText(slotsOf(own).map((_, at) => `${own === start ? 'src' : 'dst'}_${at}`))
  const texts = [start, other].flatMap((own, side) =>
    slotsOf(own).map((slot, at) => `${slotText(context, view.kind, slot)} AS ${side === 0 ? 'src' : 'dst'}_${at}`),
  )
  const rows = `SELECT ${[...texts, `${value} AS weight`].join(', ')} FROM ${ITEMS} WHERE ${isAlive(view.kind, context.momentMs)}`
  const link = (one: DeclaredEnd, two: DeclaredEnd) =>
    `SELECT ${sqlText(one.node.name)} AS src_type, ${end(one)} AS src_id, ${sqlText(two.node.name)} AS dst_type, ${end(two)} AS dst_id, weight FROM (${rows}) AS edges`
  if (!edge.undirected) return link(start, other)
  // An edge of a node with itself is one link.
  return `${link(start, other)} UNION ALL ${link(other, start)} WHERE ${end(start)} <> ${end(other)}`
}

function weightSql(view: TypeView, weight: string): string {
  const column = view.columns.find(({ slot }) => slot === weight)
  if (column && (column.type === 'integer' || column.type === 'text')) return `try_cast(${column.sql} AS DOUBLE)`
  throw new GraphError(
    'batch.job',
    `job: '${weight}' of '${view.kind.name}' is not a number; name a numeric attribute.`,
  )
}

/** The table `pairs`: each two vertices that are linked, in both orders, once, and no vertex with itself. */
export const PAIRS: SqlStep = create(
  'pairs',
  `SELECT DISTINCT a, b FROM (SELECT src AS a, dst AS b FROM links UNION ALL SELECT dst, src FROM links) WHERE a <> b`,
)

/** A result: the keys of all vertices with values, which `query` has by `v`. Without a value there, it is `otherwise`. */
export function vertexValues(query: string, values: Readonly<Record<string, string | undefined>>): string {
  const selected = Object.entries(values).map(([name, otherwise]) =>
    otherwise === undefined ? `value.${name}` : `coalesce(value.${name}, ${otherwise}) AS ${name}`,
  )
  return `SELECT ${['vertices.pk', 'vertices.sk', 'vertices.type', ...selected].join(', ')}
    FROM vertices LEFT JOIN (${query}) AS value ON value.v = vertices.v`
}

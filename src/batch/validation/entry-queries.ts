import { edgeIdentitySlots } from '../../layout/keys/default-templates.js'
import type { Kind } from '../../layout/kinds.js'
import { identitySlotsOf, referenceSlots, storedTypeOf, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredEdge, DeclaredEmbed, DeclaredEnd } from '../../schema/declarations.js'
import { idText, type ProgramContext } from '../algorithms/graph-tables.js'
import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { keyOfSlot, slotText, storedJson } from '../views/slot-text.js'
import { type HiddenEdges, hiddenEdgesQuery } from './counter-queries.js'

/** An embedded map of a node, and the query of the nodes whose entries differ. */
export interface EntryQuery {
  readonly node: Kind
  readonly name: string
  /** Columns: the keys of nodes. */
  readonly sql: string
  readonly hiddenEdges: HiddenEdges | undefined
}

/** Queries for every embedded map of a graph. */
export function entryQueries(context: ProgramContext): EntryQuery[] {
  const { kinds, graph } = context.layout
  return graph.declared.edges.flatMap(edge => {
    const kind = kinds.find(each => each.type === edge && each.role === 'edge')!
    const intos = new Map(edge.embed.map(embed => [`${endOf(edge, embed).node.name}.${embed.into}`, embed]))
    return [...intos.values()].map(embed => entryQuery(context, kind, edge, embed))
  })
}

const endOf = ({ ends }: DeclaredEdge, { end }: DeclaredEmbed): DeclaredEnd => ends.find(({ name }) => name === end)!

function entryQuery(context: ProgramContext, kind: Kind, edge: DeclaredEdge, { into, end }: DeclaredEmbed): EntryQuery {
  const { layout, dialect } = context
  const { node } = endOf(edge, { into, end, max: 0 })
  const nodeKind = layout.kinds.find(({ type, role }) => type === node && role === 'node')!
  const ends = edge.embed
    .filter(each => each.into === into)
    .map(each => endOf(edge, each))
    .filter(each => each.node === node)
  const members = Object.entries(node.attributes[into]!.members!)
  const expected = ends.map(each =>
    expectedEntries(
      context,
      kind,
      edge,
      each,
      members.map(([name]) => name),
    ),
  )
  const tenant = layout.design.tenant ? [TENANT_SLOT] : []
  const id = idText([...tenant, ...identitySlotsOf(node)].map(slot => `(${slotText(context, nodeKind, slot)})`))
  const stored = layout.names.attributeOf(node, into)
  const nodes = `SELECT pk, sk, ${id} AS id, item FROM ${ITEMS} WHERE mark = ${sqlText(nodeKind.typeMark)}`
  const found = `SELECT node.pk, node.sk, entry.key AS name, ${members
    .map(([, member], at) => `${dialect.json('entry.value', ['M', member.storedAs ?? members[at]![0]])} AS m${at}`)
    .concat("'1' AS is_present")
    .join(', ')} FROM (${nodes}) AS node, ${dialect.entries('node.item', [stored, 'M'], 'entry')}`
  const columns = ['name', ...members.map((_, at) => `m${at}`), 'is_present'].map(column => `edge.${column}`)
  const expectedEntriesOfNodes = `SELECT node.pk, node.sk, ${columns.join(', ')} FROM (${expected.join(' UNION ALL ')}) AS edge
    JOIN (${nodes}) AS node ON node.id = edge.id`
  const differs = members.map((_, at) => `CAST(one.m${at} AS STRING) IS DISTINCT FROM CAST(other.m${at} AS STRING)`)
  const sql = `SELECT DISTINCT coalesce(one.pk, other.pk) AS pk, coalesce(one.sk, other.sk) AS sk
    FROM (${expectedEntriesOfNodes}) AS one FULL OUTER JOIN (${found}) AS other
      ON one.pk = other.pk AND one.sk = other.sk AND one.name = other.name
    WHERE ${['one.is_present IS NULL', 'other.is_present IS NULL', ...differs].join(' OR ')}`
  const hiddenEdges = hiddenEdgesQuery(
    context,
    nodeKind,
    ends.map(each => ({ kind, end: each })),
  )
  return { node: nodeKind, name: into, sql, hiddenEdges }
}

function expectedEntries(
  context: ProgramContext,
  kind: Kind,
  edge: DeclaredEdge,
  end: DeclaredEnd,
  members: readonly string[],
): string {
  const { layout, dialect } = context
  const tenant = layout.design.tenant ? [TENANT_SLOT] : []
  const id = idText([...tenant, ...referenceSlots(end)].map(slot => `(${slotText(context, kind, slot)})`))
  const parts = edgeIdentitySlots(edge, end).map(slot => slotText(context, kind, slot))
  const escaped = parts.map(part => dialect.replaceAll(part, '([\\x00-\\x24])', '$\\1'))
  const name = parts.length === 1 ? parts[0]! : escaped.join(" || '#' || ")
  const values = members.map((member, at) => `${memberJson(context, kind, member)} AS m${at}`)
  return `SELECT ${[`${id} AS id`, `${name} AS name`, ...values, "'1' AS is_present"].join(', ')}
    FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)}`
}

/** The stored value of an edge as DynamoDB JSON; from a key where its attribute is not stored. */
function memberJson(context: ProgramContext, kind: Kind, slot: string): string {
  if (keyOfSlot(context.layout, kind, slot) === undefined) return storedJson(context, kind, slot)
  const text = slotText(context, kind, slot)
  return context.dialect.jsonObject([[storedTypeOf(kind.type, slot) ?? 'S', context.dialect.textAsJson(text)]])
}

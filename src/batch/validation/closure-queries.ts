import { treeEndsOf } from '../../layout/items/tree.js'
import type { Kind } from '../../layout/kinds.js'
import { referenceSlots, TENANT_SLOT } from '../../layout/slots.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { slotText, storedJson } from '../views/slot-text.js'

/**
 * Queries of the edges of a tree whose closure may be wrong, and of the edges of the closure that may be too many. Each
 * edge is compared with those of its parent only: its lineage, depths and paths follow from theirs.
 */
export function closureQueries(context: ProgramContext, kind: Kind): string[] {
  const { type } = kind
  if (type.kind === 'node' || type.closure === undefined) return []
  const tree = treeTable(context, kind)
  const rows = closureTable(context, kind)
  return [
    `SELECT tree.pk, tree.sk FROM (${tree}) AS tree LEFT JOIN (${tree}) AS over ON over.child = tree.parent
      WHERE ${HAS_WRONG_STATE}`,
    `SELECT tree.pk, tree.sk FROM (${tree}) AS tree LEFT JOIN (${rows}) AS direct ON ${isDirect('direct')}
      WHERE direct.pk IS NULL OR direct.depth <> '1'`,
    `SELECT tree.pk, tree.sk FROM (${tree}) AS tree
      JOIN (${rows}) AS direct ON ${isDirect('direct')}
      JOIN (${rows}) AS above ON above.child = tree.parent
      LEFT JOIN (${rows}) AS own ON own.child = tree.child AND own.parent = above.parent
      WHERE own.pk IS NULL OR CAST(own.depth AS INTEGER) <> CAST(above.depth AS INTEGER) + 1
        OR own.path <> above.path || '#' || direct.path`,
    `SELECT own.pk, own.sk FROM (${rows}) AS own
      LEFT JOIN (${tree}) AS tree ON tree.child = own.child
      LEFT JOIN (${tree}) AS over ON over.child = tree.parent
      LEFT JOIN (${rows}) AS above ON above.child = tree.parent AND above.parent = own.parent
      WHERE tree.pk IS NULL OR ${HAS_WRONG_STATE} OR (above.pk IS NULL AND NOT (${isDirect('own')}))`,
  ]
}

/** Whether a row of the closure leads to the parent of an edge of the tree. */
const isDirect = (row: string) => `${row}.child = tree.child AND ${row}.parent = tree.parent`

const LIST_START = '{"L":['

/** The lineage that an edge of the tree should have, as JSON: its parent, and then the lineage of the edge over it. */
const LINEAGE_BELOW = `${sqlText(`${LIST_START}${LIST_START}`)} || tree.id || ']}'
  || CASE WHEN over.pk IS NULL THEN ']}' ELSE ',' || substr(over.lineage, ${LIST_START.length + 1}) END`

const HAS_WRONG_STATE = `tree.previous IS NOT NULL OR tree.lineage IS DISTINCT FROM ${LINEAGE_BELOW}`

/** The edges of a tree: the ids of both ends as texts, and the parts of the stored lineage as JSON. */
function treeTable(context: ProgramContext, kind: Kind): string {
  const { dialect, layout } = context
  const { lineage } = layout.names
  const json = (path: readonly string[]) => `CAST(${dialect.json('item', [lineage, 'M', ...path])} AS STRING)`
  const { parent } = treeEndsOf(kind.type as DeclaredEdge)
  const id = referenceSlots(parent).map(slot => `CAST(${storedJson(context, kind, slot)} AS STRING)`)
  return endsTable(context, kind, kind, [
    `${json(['lineage'])} AS lineage`,
    `${json(['previous'])} AS previous`,
    `${id.join(" || ',' || ")} AS id`,
  ])
}

/** The rows of the closure of a tree: the ids of both ends as texts, and the attributes, if it declares them. */
function closureTable(context: ProgramContext, tree: Kind): string {
  const closure = context.layout.kinds.find(({ name }) => name === (tree.type as DeclaredEdge).closure)!
  const attribute = (name: string) =>
    closure.type.attributes[name] ? `${slotText(context, closure, name)} AS ${name}` : `NULL AS ${name}`
  return endsTable(context, tree, closure, [attribute('depth'), attribute('path')])
}

function endsTable(context: ProgramContext, tree: Kind, kind: Kind, more: readonly string[]): string {
  const { child, parent } = treeEndsOf(tree.type as DeclaredEdge)
  const tenant = context.layout.design.tenant ? [TENANT_SLOT] : []
  const idText = (slots: readonly string[]) => {
    const texts = [...tenant, ...slots].map(slot => slotText(context, kind, slot))
    // The length separates the parts of an id.
    return texts.map(text => `length(${text}) || ':' || ${text}`).join(' || ')
  }
  const columns = [
    'pk',
    'sk',
    `${idText(referenceSlots(child))} AS child`,
    `${idText(referenceSlots(parent))} AS parent`,
    ...more,
  ]
  return `SELECT ${columns.join(', ')} FROM ${ITEMS} WHERE mark = ${sqlText(kind.typeMark)}`
}

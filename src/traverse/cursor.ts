import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { toFnvHash } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { rowValueAt } from '../layout/row-members.js'
import type { DeclaredType } from '../layout/slots.js'
import { typeByName } from '../plan/identity.js'
import { membersOf } from '../plan/members.js'
import { type PlainRow, setRowMember } from '../plan/row.js'
import { GraphError } from '../schema/error.js'
import { nodeRefOf, reachedIdOf, toPlainJson } from './hop.js'
import type { Hop, TraversalData } from './traversal.js'
import { type HopLists, TraversalCache } from './traversal-cache.js'

const VERSION = 1

type PackedRow = Record<string, AttributeValue>

interface Body {
  readonly lists: readonly {
    readonly hop: string
    readonly of: readonly (readonly [start: PackedRow, rows: readonly PackedRow[]])[]
  }[]
  readonly nodes: readonly {
    readonly type: string
    readonly of: readonly (readonly [id: PackedRow, row: PackedRow | 0])[]
  }[]
}

/** A text with everything that a traversal has read, from which the same traversal goes on. */
export function writeTraversalCursor(
  layout: Layout,
  traversal: TraversalData,
  tenant: string | undefined,
  cache: TraversalCache,
): string {
  const idOf = (type: DeclaredType, id: unknown) => pack(type, idRowOf(type, id))
  const body: Body = {
    lists: [...cache.lists].map(([key, { hop, lists }]) => ({
      hop: key,
      of: [...lists.values()].map(({ node, neighbors }) => [
        idOf(typeByName(layout, hop.start), node.id),
        neighbors.map(({ row }) => pack(typeByName(layout, hop.type), row)),
      ]),
    })),
    nodes: [...cache.nodes].map(([name, nodes]) => ({
      type: name,
      of: [...nodes.values()].map(({ node, row }) => {
        const type = typeByName(layout, name)
        return [idOf(type, node.id), row ? pack(type, row) : 0] as const
      }),
    })),
  }
  const json = JSON.stringify([VERSION, traversalHashOf(traversal, tenant), body], writeBytes)
  return btoa(Array.from(new TextEncoder().encode(json), byte => String.fromCharCode(byte)).join(''))
}

/** The nodes and lists that were read before a cursor was written. */
export function readTraversalCursor(
  layout: Layout,
  traversal: TraversalData,
  tenant: string | undefined,
  cursor: string,
): TraversalCache {
  const [version, traversalHash, body] = parseTraversalCursor(cursor)
  if (version !== VERSION)
    throw new GraphError('cursor.invalid', 'the cursor is not a cursor of a traversal; start the traversal again')
  if (traversalHash !== traversalHashOf(traversal, tenant))
    throw new GraphError('cursor.mismatch', 'the cursor belongs to another traversal; give it to that one')
  const cache = new TraversalCache()
  const { lists, nodes } = body as Body
  for (const { hop: key, of } of lists) {
    const hop = JSON.parse(key) as Hop
    const type = typeByName(layout, hop.type)
    const [start, reached] = [typeByName(layout, hop.start), typeByName(layout, hop.reached)]
    const listsByNode: HopLists['lists'] = new Map()
    cache.lists.set(key, { hop, lists: listsByNode })
    for (const [id, rows] of of) {
      const node = nodeRefOf(start, idOf(start, unpack(start, id)))
      const read = rows.map(row => unpack(type, row))
      listsByNode.set(node.key, {
        node,
        neighbors: read.map(row => ({ node: nodeRefOf(reached, reachedIdOf(type, hop.end, row)), row })),
      })
    }
  }
  for (const { type: name, of } of nodes) {
    const type = typeByName(layout, name)
    for (const [id, row] of of) {
      const node = nodeRefOf(type, idOf(type, unpack(type, id)))
      cache.nodesOf(name).set(node.key, { node, row: row ? unpack(type, row) : null })
    }
  }
  return cache
}

const traversalHashOf = ({ type, start, check, steps }: TraversalData, tenant: string | undefined): string =>
  toFnvHash(JSON.stringify([type, start.map(({ key }) => key), check, steps, tenant], toPlainJson))

/** An id as the members of a row that make it. */
function idRowOf(type: DeclaredType, id: unknown): PlainRow {
  const members = idMembers(type)
  return members.length === 1 && members[0]!.segments.length === 1
    ? { [members[0]!.segments[0]!]: id }
    : (id as PlainRow)
}

const idOf = (type: DeclaredType, row: PlainRow): unknown => reachedIdOf(type, undefined, row)

const idMembers = (type: DeclaredType) => {
  const slots = new Set(type.kind === 'node' ? [...(type.within ? [type.within.name] : []), ...type.id] : [])
  return membersOf(type).filter(({ segments }) => slots.has(segments[0]!))
}

/** A row as stored values by slot. */
function pack(type: DeclaredType, row: PlainRow): PackedRow {
  const packed: PackedRow = {}
  for (const { slot, segments, attribute, path } of membersOf(type)) {
    const value = rowValueAt(row, segments)
    if (value !== undefined) packed[slot] = attribute.encode(value, path)
  }
  return packed
}

function unpack(type: DeclaredType, packed: PackedRow): PlainRow {
  const row: Record<string, unknown> = {}
  for (const { slot, segments, attribute, path } of membersOf(type)) {
    const value = packed[slot]
    if (!value) continue
    setRowMember(row, segments, attribute.decode(value, path))
  }
  return row
}

const writeBytes = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { $bytes: [...value] } : value

const readBytes = (_: string, value: unknown): unknown => {
  const { $bytes } = (value ?? {}) as { readonly $bytes?: readonly number[] }
  return Array.isArray($bytes) ? Uint8Array.from($bytes) : value
}

function parseTraversalCursor(cursor: string): readonly unknown[] {
  try {
    const bytes = Uint8Array.from(atob(cursor), character => character.charCodeAt(0))
    return [JSON.parse(new TextDecoder().decode(bytes), readBytes)].flat()
  } catch {
    return []
  }
}

import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { hashOf } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { valueAt } from '../layout/members.js'
import type { DeclaredType } from '../layout/slots.js'
import { typeOf } from '../plan/identity.js'
import { membersOf } from '../plan/members.js'
import { putAt, type Row } from '../plan/row.js'
import { GraphError } from '../schema/error.js'
import { plainValue, reachedId, refOf } from './hop.js'
import { Known, type KnownLists } from './known.js'
import type { Hop, Traversal } from './traversal.js'

const VERSION = 1

type Packed = Record<string, AttributeValue>

interface Body {
  readonly lists: readonly {
    readonly hop: string
    readonly of: readonly (readonly [start: Packed, rows: readonly Packed[]])[]
  }[]
  readonly nodes: readonly { readonly type: string; readonly of: readonly (readonly [id: Packed, row: Packed | 0])[] }[]
}

/** A text with everything that a traversal has read, from which the same traversal goes on. */
export function writeCursor(layout: Layout, traversal: Traversal, tenant: string | undefined, known: Known): string {
  const idOf = (type: DeclaredType, id: unknown) => pack(type, asRow(type, id))
  const body: Body = {
    lists: [...known.lists].map(([key, { hop, lists }]) => ({
      hop: key,
      of: [...lists.values()].map(({ node, neighbors }) => [
        idOf(typeOf(layout, hop.start), node.id),
        neighbors.map(({ row }) => pack(typeOf(layout, hop.type), row)),
      ]),
    })),
    nodes: [...known.nodes].map(([name, nodes]) => ({
      type: name,
      of: [...nodes.values()].map(({ node, row }) => {
        const type = typeOf(layout, name)
        return [idOf(type, node.id), row ? pack(type, row) : 0] as const
      }),
    })),
  }
  const json = JSON.stringify([VERSION, boundTo(traversal, tenant), body], writeBytes)
  return btoa(Array.from(new TextEncoder().encode(json), byte => String.fromCharCode(byte)).join(''))
}

/** What was read before a cursor was written. */
export function readCursor(layout: Layout, traversal: Traversal, tenant: string | undefined, cursor: string): Known {
  const [version, bound, body] = parsed(cursor)
  if (version !== VERSION)
    throw new GraphError('cursor.invalid', 'the cursor is not a cursor of a traversal; start the traversal again')
  if (bound !== boundTo(traversal, tenant))
    throw new GraphError('cursor.mismatch', 'the cursor belongs to another traversal; give it to that one')
  const known = new Known()
  const { lists, nodes } = body as Body
  for (const { hop: key, of } of lists) {
    const hop = JSON.parse(key) as Hop
    const type = typeOf(layout, hop.type)
    const [start, reached] = [typeOf(layout, hop.start), typeOf(layout, hop.reached)]
    const kept: KnownLists['lists'] = new Map()
    known.lists.set(key, { hop, lists: kept })
    for (const [id, rows] of of) {
      const node = refOf(start, idOf(start, unpack(start, id)))
      const read = rows.map(row => unpack(type, row))
      kept.set(node.key, {
        node,
        neighbors: read.map(row => ({ node: refOf(reached, reachedId(type, hop.end, row)), row })),
      })
    }
  }
  for (const { type: name, of } of nodes) {
    const type = typeOf(layout, name)
    for (const [id, row] of of) {
      const node = refOf(type, idOf(type, unpack(type, id)))
      known.nodesOf(name).set(node.key, { node, row: row ? unpack(type, row) : null })
    }
  }
  return known
}

const boundTo = ({ type, start, check, steps }: Traversal, tenant: string | undefined): string =>
  hashOf(JSON.stringify([type, start.map(({ key }) => key), check, steps, tenant], plainValue))

/** An id as the members of a row that make it. */
function asRow(type: DeclaredType, id: unknown): Row {
  const members = idMembers(type)
  return members.length === 1 && members[0]!.at.length === 1 ? { [members[0]!.at[0]!]: id } : (id as Row)
}

const idOf = (type: DeclaredType, row: Row): unknown => reachedId(type, undefined, row)

const idMembers = (type: DeclaredType) => {
  const slots = new Set(type.kind === 'node' ? [...(type.within ? [type.within.name] : []), ...type.id] : [])
  return membersOf(type).filter(({ at }) => slots.has(at[0]!))
}

/** A row as stored values by slot. */
function pack(type: DeclaredType, row: Row): Packed {
  const packed: Packed = {}
  for (const { slot, at, attribute, path } of membersOf(type)) {
    const value = valueAt(row, at)
    if (value !== undefined) packed[slot] = attribute.encode(value, path)
  }
  return packed
}

function unpack(type: DeclaredType, packed: Packed): Row {
  const row: Record<string, unknown> = {}
  for (const { slot, at, attribute, path } of membersOf(type)) {
    const value = packed[slot]
    if (!value) continue
    putAt(row, at, attribute.decode(value, path))
  }
  return row
}

const writeBytes = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { $bytes: [...value] } : value

const readBytes = (_: string, value: unknown): unknown => {
  const { $bytes } = (value ?? {}) as { readonly $bytes?: readonly number[] }
  return Array.isArray($bytes) ? Uint8Array.from($bytes) : value
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const bytes = Uint8Array.from(atob(cursor), character => character.charCodeAt(0))
    return [JSON.parse(new TextDecoder().decode(bytes), readBytes)].flat()
  } catch {
    return []
  }
}

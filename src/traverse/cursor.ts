import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { toFnvHash } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { rowValueAt } from '../layout/row-members.js'
import type { DeclaredType } from '../layout/slots.js'
import { typeByName } from '../plan/identity.js'
import { membersOf } from '../plan/members.js'
import { type PlainRow, setRowMember } from '../plan/row.js'
import { GraphError } from '../schema/error.js'
import { hopKeyOf, nodeRefOf, reachedIdOf, toPlainJson } from './hop.js'
import { isStoredValue, storedValueOf } from './stored-value.js'
import type { TraversalData } from './traversal.js'
import { TraversalCache } from './traversal-cache.js'

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

/**
 * The nodes and lists that were read before a cursor was written.
 * @throws {cursor.invalid} the text is not a cursor of a traversal, or was changed
 * @throws {cursor.mismatch} the cursor belongs to another traversal or tenant
 */
export function readTraversalCursor(
  layout: Layout,
  traversal: TraversalData,
  tenant: string | undefined,
  cursor: string,
): TraversalCache {
  const [version, traversalHash, body] = parseTraversalCursor(cursor)
  if (version !== VERSION || typeof traversalHash !== 'string') throw invalidCursor()
  if (traversalHash !== traversalHashOf(traversal, tenant))
    throw new GraphError('cursor.mismatch', 'cursor: it belongs to another traversal; use it with that traversal.')
  try {
    return readBody(layout, traversal, body as Body)
  } catch (error) {
    // A client can change a cursor without a key, so its body can be anything.
    throw Object.assign(invalidCursor(), { cause: error })
  }
}

function readBody(layout: Layout, { steps }: TraversalData, { lists, nodes }: Body): TraversalCache {
  const cache = new TraversalCache()
  const hops = new Map(steps.flatMap(step => ('hop' in step ? [[hopKeyOf(step.hop), step.hop]] : [])))
  for (const { hop: key, of } of lists) {
    const hop = hops.get(key)
    if (!hop) throw invalidCursor()
    const type = typeByName(layout, hop.type)
    const [start, reached] = [typeByName(layout, hop.start), typeByName(layout, hop.reached)]
    const listsByNode = cache.listsOf(hop).lists
    for (const [id, rows] of of) {
      const node = nodeRefOf(layout, start, idOf(start, unpack(start, id)))
      const read = rows.map(row => unpack(type, row))
      listsByNode.set(node.key, {
        node,
        neighbors: read.map(row => ({ node: nodeRefOf(layout, reached, reachedIdOf(type, hop.end, row)), row })),
      })
    }
  }
  for (const { type: name, of } of nodes) {
    const type = typeByName(layout, name)
    for (const [id, row] of of) {
      const node = nodeRefOf(layout, type, idOf(type, unpack(type, id)))
      cache.nodesOf(name).set(node.key, { node, row: row ? unpack(type, row) : null })
    }
  }
  return cache
}

const invalidCursor = () =>
  new GraphError(
    'cursor.invalid',
    'cursor: the text is not a cursor of a traversal, or was changed; start the traversal again.',
  )

/** The text that differs for any two traversals, and for the tenants of one. A cursor belongs to one of these texts. */
export const traversalTextOf = ({ type, start, check, steps }: TraversalData, tenant: string | undefined): string =>
  JSON.stringify([type, start.map(({ key }) => key), check, steps, tenant], toPlainJson)

const traversalHashOf = (traversal: TraversalData, tenant: string | undefined): string =>
  toFnvHash(traversalTextOf(traversal, tenant))

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
    if (value !== undefined) packed[slot] = storedValueOf(attribute, value, path)
  }
  return packed
}

function unpack(type: DeclaredType, packed: PackedRow): PlainRow {
  const row: Record<string, unknown> = {}
  for (const { slot, segments, attribute, path } of membersOf(type)) {
    const value = packed[slot]
    if (value === undefined) continue
    if (!isStoredValue(value)) throw invalidCursor()
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
    const base64 = cursor.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes), readBytes)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

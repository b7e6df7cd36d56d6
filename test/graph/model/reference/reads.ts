import type { Layout } from '../../../../src/layout/layout.js'
import type { DeclaredType } from '../../../../src/layout/slots.js'
import { accessByName } from '../../../../src/plan/identity.js'
import { readsPointers } from '../../../../src/plan/read/hydration.js'
import type {
  DeclaredAttribute,
  DeclaredEdge,
  DeclaredEnd,
  DeclaredGraph,
  DeclaredNode,
} from '../../../../src/schema/declarations.js'
import type { Held } from './conditions.js'
import { isEqual, otherEnd, type Row, turned } from './identity.js'
import type { Model } from './model.js'
import { compare, compareLists, sortValues } from './sort-order.js'

/** A read path of a declared graph. */
export interface ReadPath {
  readonly type: DeclaredType
  readonly name: string
  /** The members that a read requires by name; for an end and an owner, the id. */
  readonly given: readonly string[]
  /** The parts that define the order and that where() accepts. */
  readonly order: readonly string[]
  /** The end at which the read starts. */
  readonly end?: DeclaredEnd
  /** The node type at which the read starts: at an end, or the owner. */
  readonly startsAt?: string
  /**
   * The members that only the keys contain, which a filter cannot test; undefined when the keys contain every member.
   */
  readonly told: readonly string[] | undefined
}

export interface PathRead {
  readonly path: ReadPath
  readonly given?: unknown
  readonly where?: Row
  readonly filter?: Held
  readonly reverse: boolean
  readonly limit?: number
  readonly nodes?: 'nodes' | 'joined'
  /** Only these members of the rows. */
  readonly only?: readonly string[]
  readonly consistent: boolean
}

/** Every path of a graph. */
export function pathsOf({ nodes, edges }: DeclaredGraph): ReadPath[] {
  const own = nodes.flatMap((type): ReadPath[] => {
    const owner = type.within?.name
    const owned =
      owner === undefined ? [] : [{ type, name: owner, given: [], order: type.id, startsAt: owner, told: [] }]
    const paths = type.paths.map(({ name, in: given, order, as }) => ({
      type,
      name,
      given: as === 'local' ? [owner!] : given,
      order,
      // A path that is sorted by a counter is native.
      told:
        as === 'item'
          ? undefined
          : as === 'native' || order.some(part => type.attributes[part]?.kind === 'counter')
            ? [...given, ...order]
            : [],
    }))
    return [...owned, ...paths]
  })
  const ends = edges.flatMap(type =>
    type.ends
      .filter(({ by }) => by.as !== 'none')
      .map((end): ReadPath => {
        // The one edge of a node has nothing to be sorted by.
        const order = type.one === end.name ? [] : end.by.order
        const told = type.ends.flatMap(({ name, by }) =>
          type.undirected || /mirror|native/.test(by.as ?? '') || isMirrored(type, name) ? by.order : [],
        )
        return { type, name: end.name, given: [], order, end, startsAt: end.node.name, told }
      }),
  )
  return [...own, ...ends]
}

/** The path on an index that may not project all attributes, so that its entries are only pointers. */
export function seenThrough(layout: Layout, path: ReadPath): ReadPath {
  const { type, name, end } = path
  const isNarrow = (by: string) => readsPointers(layout, accessByName(layout, type.name, by))
  const names = type.kind === 'edge' && type.undirected && end ? type.ends.map(each => each.name) : [name]
  return names.some(isNarrow) ? { ...path, told: undefined } : path
}

/** Stream data at an end can require a mirror. */
const isMirrored = ({ count, sum, carry }: DeclaredEdge, end: string) =>
  [...count, ...sum].some(each => each.end === end && each.by === 'stream') ||
  carry.some(each => each.end === end && each.sync)

/**
 * The ordered result of a read by a path. The limit applies to existing nodes, except in a collection, which reads no
 * further.
 */
export function found(model: Model, read: PathRead, isCollected = false): unknown[] {
  const { path, where = {}, filter, reverse, limit, nodes, only } = read
  const matching = candidates(model, read).filter(row => isWithin(row, where) && (!filter || filter.holds(row)))
  const sorted = matching
    .map(row => ({ row, values: sortValues(path.type, path.order, row, path.end) }))
    .sort((a, b) => compareLists(a.values, b.values))
    .map(({ row }) => row)
  const all = reverse ? sorted.reverse() : sorted
  const ordered = all.slice(0, limit)
  const seen = (row: Row) => (only ? picked(row, only) : row)
  if (!nodes || path.type.kind === 'node') return ordered.map(seen)
  if (nodes === 'joined') return withNodes(model, read, ordered).map(({ edge, node }) => ({ edge: seen(edge), node }))
  return withNodes(model, read, isCollected ? ordered : all)
    .flatMap(({ node }) => node ?? [])
    .slice(0, limit)
}

const picked = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))

/** The names of all that a row of a type can have. */
export function membersOf(type: DeclaredType): string[] {
  const own = Object.keys(type.attributes)
  if (type.kind === 'node') return type.within ? [...own, type.within.name] : own
  return [...own, ...type.ends.map(({ name }) => name), ...type.carry.map(({ copyName }) => copyName)]
}

/** The rows of the partition, from the perspective of its node. */
function candidates(model: Model, { path, given }: PathRead): Row[] {
  const { type, end, name, startsAt, order } = path
  const rows = model.stored(type.name)
  if (type.kind === 'edge') {
    const seen = rows.flatMap(row => {
      if (isEqual(row[end!.name], given)) return [row]
      return type.undirected && isEqual(row[otherEnd(type, end!).name], given) ? [turned(type, row)] : []
    })
    return seen
  }
  const asked: Row = startsAt === undefined ? ((given ?? {}) as Row) : { [name]: given }
  return rows
    .filter(row => Object.entries(asked).every(([part, value]) => holds(row[part], value)))
    .map(row => model.seen(type, row))
    .filter(row => order.every(part => row[part] !== undefined))
}

const holds = (value: unknown, asked: unknown) => (value instanceof Set ? value.has(asked) : isEqual(value, asked))

interface Range {
  readonly from?: unknown
  readonly to?: unknown
  readonly startsWith?: string
}

function isWithin(row: Row, where: Row): boolean {
  return Object.entries(where).every(([part, asked]) => {
    const value = row[part]
    if (!isRange(asked)) return isEqual(value, asked)
    const { from, to, startsWith } = asked
    if (startsWith !== undefined) return (value as string).startsWith(startsWith)
    return (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) <= 0)
  })
}

const isRange = (asked: unknown): asked is Range =>
  typeof asked === 'object' && asked !== null && ['from', 'to', 'startsWith'].some(name => name in asked)

function withNodes(model: Model, { path }: PathRead, rows: readonly Row[]): { edge: Row; node: Row | undefined }[] {
  const { name, node } = otherEnd(path.type as DeclaredEdge, path.end!)
  return rows.map(edge => {
    const there = model.node(node, edge[name])
    return { edge, node: there && model.seen(node, there) }
  })
}

/** The node type of a path part: at an end, or the owner. */
export function nodeAt(type: DeclaredType, part: string): DeclaredNode | undefined {
  if (type.kind === 'edge') return type.ends.find(({ name }) => name === part)?.node
  return type.within?.name === part ? type.within : undefined
}

/** The attribute of a path part, or of an id with one part; undefined for an id with several parts. */
export function partAttribute(type: DeclaredType, part: string): DeclaredAttribute | undefined {
  const node = nodeAt(type, part)
  if (!node) return type.attributes[part]
  return node.id.length === 1 && !node.within ? node.attributes[node.id[0]!] : undefined
}

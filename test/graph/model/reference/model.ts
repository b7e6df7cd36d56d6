import type { DeclaredType } from '../../../../src/layout/slots.js'
import type {
  DeclaredCount,
  DeclaredEdge,
  DeclaredEnd,
  DeclaredGraph,
  DeclaredNode,
  OnDelete,
} from '../../../../src/schema/declarations.js'
import { patched } from './apply-patch.js'
import { completed } from './computed-values.js'
import type { Held } from './conditions.js'
import { idOf, idValues, isEqual, keyOf, otherEnd, partsOfKey, placeOf, type Row, turned } from './identity.js'

/** A write, as plain data. */
export interface Write {
  readonly verb: 'create' | 'put' | 'update' | 'delete'
  readonly type: string
  /** The full row of a create or a put; the identity otherwise. */
  readonly row: Row
  readonly patch?: Row
  readonly edges?: OnDelete
  readonly condition?: Held
  readonly checkingEnds?: boolean
}

/** A row and its type. */
export interface Placed {
  readonly type: DeclaredType
  readonly row: Row
}

/** The reference model: nodes and edges as plain rows, and the effect of every write. It does not use the library. */
export class Model {
  private constructor(
    readonly graph: DeclaredGraph,
    private readonly rows: ReadonlyMap<string, Map<string, Row>>,
  ) {}

  static of(graph: DeclaredGraph): Model {
    return new Model(graph, new Map([...graph.nodes, ...graph.edges].map(({ name }) => [name, new Map()])))
  }

  /** Whether every unique value belongs to only one node. */
  get isUnique(): boolean {
    return this.graph.nodes.every(({ name, unique }) =>
      unique.every(attribute => {
        const values = this.stored(name).flatMap(row => row[attribute] ?? [])
        return new Set(values).size === values.length
      }),
    )
  }

  /** The same rows in another graph with the same nodes and edges. */
  under(graph: DeclaredGraph): Model {
    return new Model(graph, this.rows)
  }

  /** The stored rows without derived members, which follow from the edges. */
  stored(type: string): Row[] {
    return [...this.rows.get(type)!.values()]
  }

  type(name: string): DeclaredType {
    return [...this.graph.nodes, ...this.graph.edges].find(type => type.name === name)!
  }

  /** The existing row with the same key. */
  private there(type: DeclaredType, row: Row): Row | undefined {
    return this.rows.get(type.name)!.get(placeOf(type, row))
  }

  /** The existing row if it has the same identity; an only edge may lead elsewhere. */
  private meant(type: DeclaredType, row: Row): Row | undefined {
    const found = this.there(type, row)
    if (!found || type.kind === 'node' || type.one === undefined) return found
    const names = [...type.ends.map(({ name }) => name), ...type.key]
    return names.every(name => isEqual(found[name], row[name])) ? found : undefined
  }

  /** The result of a read: with derived members, and with the requested order of ends. */
  get(typeName: string, key: unknown): Row | undefined {
    const type = this.type(typeName)
    const found = this.meant(type, partsOfKey(type, key))
    return found && this.seen(type, found, key as Row)
  }

  seen(type: DeclaredType, row: Row, asked?: Row): Row {
    if (type.kind === 'node') return { ...row, ...this.derived(type, row) }
    const isTurned = type.undirected && asked && !isEqual(row[type.ends[0].name], asked[type.ends[0].name])
    return isTurned ? turned(type, row) : row
  }

  node(node: DeclaredNode, id: unknown): Row | undefined {
    return this.there(node, partsOfKey(node, id))
  }

  /** The edges of a type at one of these ends of a node. A self-loop occurs at both ends. */
  private edgesAt(edge: DeclaredEdge, end: DeclaredEnd, id: unknown): Row[] {
    return this.stored(edge.name).filter(row => isEqual(row[end.name], id))
  }

  /** Counters, sums and embedded entries of a node. */
  private derived(node: DeclaredNode, row: Row): Row {
    const id = idOf(node, row)
    const members: Record<string, unknown> = {}
    for (const [name, { kind }] of Object.entries(node.attributes)) {
      if (kind === 'counter') members[name] = 0
      if (kind === 'embedded') members[name] = {}
    }
    for (const edge of this.graph.edges)
      for (const end of edge.ends)
        if (end.node === node) for (const each of this.edgesAt(edge, end, id)) derive(members, edge, end, each)
    return members
  }

  /** The stream counters of a node before the stream has counted anything. */
  uncounted(type: DeclaredType): Row {
    const kept = this.graph.edges.flatMap(({ ends, count, sum }) =>
      [...count, ...sum].filter(
        each => each.by === 'stream' && ends.some(({ name, node }) => name === each.end && node === type),
      ),
    )
    return Object.fromEntries(kept.map(({ into }) => [into, 0]))
  }

  /** The row that a write replaces, changes or deletes. */
  replaced({ verb, type: name, row }: Write): Row | undefined {
    const type = this.type(name)
    const found = verb === 'put' || verb === 'create' ? this.there(type, row) : this.meant(type, row)
    return found && this.seen(type, found, row)
  }

  /** Whether a deletion takes more than one request because of cascading or refusing edges. */
  isJob(write: Write): boolean {
    const type = this.type(write.type)
    if (write.verb !== 'delete' || type.kind === 'edge') return false
    return this.pathsOf(type, write).some(({ onDelete }) => onDelete !== 'leave')
  }

  /**
   * The reasons to refuse a write; empty when it must succeed. With a condition, every reason may be reported as a
   * failed condition.
   */
  refusals(given: Write): string[] {
    const type = this.type(given.type)
    const isWhole = given.verb === 'put' || given.verb === 'create'
    const write = isWhole ? { ...given, row: completed(type, given.row) } : given
    const found = this.there(type, write.row)
    const holds = write.condition?.holds(found && this.seen(type, found)) ?? true
    const codes = this.ownRefusals(type, write)
    return !holds || (write.condition && codes.length > 0) ? [...codes, 'write.condition'] : codes
  }

  private ownRefusals(type: DeclaredType, write: Write): string[] {
    const { verb, row } = write
    if (verb === 'update') return this.updateRefusals(type, write)
    if (verb === 'delete') return type.kind === 'node' ? this.deleteRefusals(type, write) : []
    const codes = verb === 'create' && this.there(type, row) ? ['write.exists'] : []
    if (verb === 'put' && changesImmutable(type, this.meant(type, row), row)) codes.push('write.immutable')
    if (type.kind === 'edge') codes.push(...this.endRefusals(type, write))
    return [...codes, ...this.takenUniques(type, row)]
  }

  private updateRefusals(type: DeclaredType, { row, patch = {} }: Write): string[] {
    if (Object.values(patch).every(value => value === undefined)) return ['write.empty']
    const found = this.meant(type, row)
    if (!found) return ['write.absent']
    const after = completed(type, patched(found, patch))
    const ends = type.kind === 'edge' ? type.ends : []
    const isLost = ends.some(
      end => isKeptAnew(type as DeclaredEdge, end, found, after) && !this.node(end.node, row[end.name]),
    )
    const outside = Object.entries(type.attributes).some(([name, { range }]) => {
      const value = after[name] as number | undefined
      return range && value !== undefined && (value < range.min! || value > range.max!)
    })
    return [
      ...(outside ? ['value.range'] : []),
      ...(isLost ? ['edge.end.absent'] : []),
      ...this.takenUniques(type, after),
    ]
  }

  private deleteRefusals(node: DeclaredNode, write: Write): string[] {
    const paths = this.pathsOf(node, write)
    if (paths.some(({ isAllowed }) => !isAllowed)) return ['node.strict']
    const id = idOf(node, write.row)
    const kept = paths.some(
      ({ edge, end, onDelete }) => onDelete === 'refuse' && this.edgesAt(edge, end, id).length > 0,
    )
    const found = this.there(node, write.row)
    if (kept || !found) return kept ? ['node.edges'] : []
    // A sum of 0 does not prove that a node has no edges.
    const holds = paths
      .filter(({ onDelete }) => onDelete !== 'cascade')
      .some(({ edge, end }) => {
        const kept = keptInTransaction(edge).filter(each => each.end === end.name)
        return this.edgesAt(edge, end, id).some(row => kept.some(each => isOf(each, row)))
      })
    return holds ? ['node.edges'] : []
  }

  /**
   * The policy for the edges at each end of a node: the declared policy, or the policy of the call for edges declared
   * as leave.
   */
  private pathsOf(node: DeclaredNode, { edges: asked }: Write) {
    return this.graph.edges.flatMap(edge =>
      edge.ends
        .filter(end => end.node === node)
        .map(end => {
          const onDelete = end.onDelete === 'leave' && asked ? asked : end.onDelete
          // Edges declared as `refuse` prevent the deletion even in a cascade.
          const isAllowed = asked === undefined || asked === onDelete || (asked === 'cascade' && onDelete === 'refuse')
          return { edge, end, onDelete, isAllowed }
        }),
    )
  }

  /** The edges that are deleted with a node. */
  goneWith(write: Write): Placed[] {
    const node = this.type(write.type) as DeclaredNode
    const id = idOf(node, write.row)
    return this.pathsOf(node, write)
      .filter(({ onDelete }) => onDelete === 'cascade')
      .flatMap(({ edge, end }) => this.edgesAt(edge, end, id).map(row => ({ type: edge, row })))
  }

  /** The model without these rows, and with no other change. */
  without(gone: readonly Placed[]): Model {
    return this.changed(copies => {
      for (const { type, row } of gone) copies(type.name).delete(placeOf(type, row))
    })
  }

  private takenUniques(type: DeclaredType, row: Row): string[] {
    if (type.kind === 'edge') return []
    const others = this.stored(type.name).filter(other => placeOf(type, other) !== placeOf(type, row))
    const isTaken = type.unique.some(name => row[name] !== undefined && others.some(other => other[name] === row[name]))
    return isTaken ? ['unique.taken'] : []
  }

  private endRefusals(edge: DeclaredEdge, write: Write): string[] {
    const { verb, row, checkingEnds } = write
    const codes: string[] = []
    for (const end of edge.ends) {
      const { name, node, onDelete } = end
      const there = this.node(node, row[name])
      // A create treats the edge as new.
      const found = edge.one === name ? this.there(edge, row) : this.meant(edge, row)
      const before = verb === 'create' ? undefined : found
      const isNew = isKeptAnew(edge, end, before, row) || (onDelete !== 'leave' && !before)
      if ((isNew || checkingEnds) && !there) codes.push('edge.end.absent')
      const carries = edge.carry.some(carry => carry.end === name && !node.id.includes(carry.attribute))
      if (carries && !there) codes.push('edge.carry.absent')
    }
    return this.overflows(edge, write) ? [...codes, 'edge.embed.full'] : codes
  }

  /** Whether a node would exceed its maximum number of entries with the edge; a create treats the edge as new. */
  private overflows(edge: DeclaredEdge, { verb, row }: Write): boolean {
    if (this.meant(edge, row)) return false
    const after = verb === 'create' ? this : this.withRow(edge, row)
    return edge.embed.some(({ end: at, into, max }) => {
      const end = edge.ends.find(({ name }) => name === at)!
      const there = after.node(end.node, row[at])
      const entries = there && Object.keys(after.derived(end.node, there)[into] as object)
      return entries !== undefined && entries.length + (verb === 'create' ? 1 : 0) > max
    })
  }

  /** The rows after a write that is not refused. */
  after(write: Write): Model {
    const { verb, type: name, row, patch = {} } = write
    const type = this.type(name)
    const found = this.meant(type, row)
    if (verb === 'update') return found ? this.withRow(type, patched(found, patch)).copied(type, row) : this
    if (verb !== 'delete')
      return this.withRow(type, type.kind === 'edge' ? this.withCarried(type, row) : row).copied(type, row)
    if (!found) return this
    const left = type.kind === 'node' ? this.without(this.goneWith(write)) : this
    return left.changed(copies => copies(name).delete(placeOf(type, found))).copied(type, row)
  }

  /** The rows after copies of a changed node are updated on its edges. */
  private copied(type: DeclaredType, row: Row): Model {
    if (type.kind === 'edge') return this
    const there = this.there(type, row)
    const id = idOf(type, row)
    let model: Model = this
    for (const edge of this.graph.edges)
      for (const { copyName, end, attribute, sync, deleted } of edge.carry) {
        const at = edge.ends.find(({ name, node }) => name === end && node === type)
        if (!at || !sync || (!there && deleted === 'keep')) continue
        for (const each of model.edgesAt(edge, at, id))
          model = model.withRow(edge, { ...each, [copyName]: there?.[attribute] })
      }
    return model
  }

  private withRow(type: DeclaredType, row: Row): Model {
    const there = Object.fromEntries(Object.entries(completed(type, row)).filter(([, value]) => value !== undefined))
    return this.changed(copies => copies(type.name).set(placeOf(type, row), there))
  }

  private changed(change: (copies: (type: string) => Map<string, Row>) => unknown): Model {
    const rows = new Map(this.rows)
    const copied = new Set<string>()
    change(type => {
      if (!copied.has(type)) rows.set(type, new Map(rows.get(type)))
      copied.add(type)
      return rows.get(type)!
    })
    return new Model(this.graph, rows)
  }

  private withCarried(edge: DeclaredEdge, row: Row): Row {
    const copies = edge.carry.map(({ copyName, end, attribute }) => {
      const { node } = edge.ends.find(({ name }) => name === end)!
      const source = { ...this.node(node, row[end]), ...partsOfKey(node, row[end]) } as Row
      return [copyName, source[attribute]] as const
    })
    return { ...row, ...Object.fromEntries(copies) }
  }

  /** The nodes and edges that a write may change or depend on, as texts. */
  touched({ type: name, row, patch = {} }: Write): string[] {
    const type = this.type(name)
    const own = `${name} ${placeOf(type, row)}`
    if (type.kind === 'node') {
      const found = this.there(type, row)
      const uniques = type.unique.flatMap(unique =>
        [row[unique], patch[unique], found?.[unique]].map(value => `${name}.${unique} ${String(value)}`),
      )
      return [own, ...uniques]
    }
    const rows = [row, this.there(type, row) ?? row]
    return [
      own,
      ...type.ends.flatMap(end =>
        rows.map(each => `${end.node.name} ${placeOf(end.node, partsOfKey(end.node, each[end.name]))}`),
      ),
    ]
  }

  /** Rows by type, for conversion to items. */
  example(): Record<string, Row[]> {
    return Object.fromEntries([...this.rows].map(([type, rows]) => [type, [...rows.values()]]))
  }

  keys(type: DeclaredType): unknown[] {
    return this.stored(type.name).map(row => keyOf(type, row))
  }
}

/** The transactional aggregates of an edge. The stream maintains the others, whether or not the nodes exist. */
const keptInTransaction = ({ count, sum, embed }: DeclaredEdge) => [
  ...[...count, ...sum].filter(({ by }) => by === 'transaction'),
  ...embed,
]

/** Whether a counter counts the edge. */
const isOf = ({ where = {} }: Partial<DeclaredCount>, row: Row) =>
  Object.entries(where).every(([name, values]) => values.some(value => Object.values(value)[0] === String(row[name])))

/** Whether a node gets its first contribution from an edge. */
function isKeptAnew(edge: DeclaredEdge, { name }: DeclaredEnd, before: Row | undefined, after: Row): boolean {
  const kept = keptInTransaction(edge).filter(({ end }) => end === name)
  return kept.some(each => isOf(each, after) && !(before && isOf(each, before)))
}

function derive(members: Record<string, unknown>, edge: DeclaredEdge, end: DeclaredEnd, row: Row): void {
  const add = (into: string, by: number) => {
    members[into] = (members[into] as number) + by
  }
  const isHere = (count: DeclaredCount) => count.end === end.name && isOf(count, row)
  for (const count of edge.count.filter(isHere)) add(count.into, 1)
  for (const sum of edge.sum.filter(isHere)) add(sum.into, (row[sum.of] as number | undefined) ?? 0)
  for (const { end: at, into } of edge.embed) {
    if (at !== end.name) continue
    const names = Object.keys(end.node.attributes[into]!.members!)
    const entry = Object.fromEntries(names.filter(name => row[name] !== undefined).map(name => [name, row[name]]))
    members[into] = { ...(members[into] as object), [entryName(edge, end, row)]: entry }
  }
}

/** An entry is named by the other end's id and the key; several parts are joined as in a key. */
function entryName(edge: DeclaredEdge, end: DeclaredEnd, row: Row): string {
  const { name, node } = otherEnd(edge, end)
  const parts = [...idValues(node, row[name]).map(({ value }) => value), ...edge.key.map(part => row[part])].map(String)
  return parts.length === 1 ? parts[0]! : parts.map(part => part.replace(/[\0-$]/g, '$$$&')).join('#')
}

function changesImmutable(type: DeclaredType, before: Row | undefined, row: Row): boolean {
  if (!before) return false
  return Object.entries(type.attributes).some(([name, { immutable }]) => immutable && !isEqual(before[name], row[name]))
}

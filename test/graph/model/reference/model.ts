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
  /** Of a create and a put the whole, else what tells it. */
  readonly row: Row
  readonly patch?: Row
  readonly edges?: OnDelete
  readonly condition?: Held
  readonly checkingEnds?: boolean
}

/** A row, and what it is of. */
export interface Placed {
  readonly type: DeclaredType
  readonly row: Row
}

/** Nodes and edges as plain rows, and what every write makes of them. Nothing of it is written through the library. */
export class Model {
  private constructor(
    readonly graph: DeclaredGraph,
    private readonly rows: ReadonlyMap<string, Map<string, Row>>,
  ) {}

  static of(graph: DeclaredGraph): Model {
    return new Model(graph, new Map([...graph.nodes, ...graph.edges].map(({ name }) => [name, new Map()])))
  }

  /** Whether every unique value is of one node. */
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

  /** What is there without its derived members: those follow from the edges. */
  stored(type: string): Row[] {
    return [...this.rows.get(type)!.values()]
  }

  type(name: string): DeclaredType {
    return [...this.graph.nodes, ...this.graph.edges].find(type => type.name === name)!
  }

  /** The row that lies where this one would. */
  private there(type: DeclaredType, row: Row): Row | undefined {
    return this.rows.get(type.name)!.get(placeOf(type, row))
  }

  /** The same, if it is the one that is meant: the one edge of a node may lead elsewhere. */
  private meant(type: DeclaredType, row: Row): Row | undefined {
    const found = this.there(type, row)
    if (!found || type.kind === 'node' || type.one === undefined) return found
    const names = [...type.ends.map(({ name }) => name), ...type.key]
    return names.every(name => isEqual(found[name], row[name])) ? found : undefined
  }

  /** What a read of it answers: derived members with it, an undirected edge as it was asked for. */
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

  /** The edges of a type that lead to a node by one of these ends, each as often as it does. */
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

  /** The counters of a node that the stream keeps, before it has counted anything. */
  uncounted(type: DeclaredType): Row {
    const kept = this.graph.edges.flatMap(({ ends, count, sum }) =>
      [...count, ...sum].filter(
        each => each.by === 'stream' && ends.some(({ name, node }) => name === each.end && node === type),
      ),
    )
    return Object.fromEntries(kept.map(({ into }) => [into, 0]))
  }

  /** The row that a write puts another in place of, changes or deletes. */
  replaced({ verb, type: name, row }: Write): Row | undefined {
    const type = this.type(name)
    const found = verb === 'put' || verb === 'create' ? this.there(type, row) : this.meant(type, row)
    return found && this.seen(type, found, row)
  }

  /** Whether a delete takes more than one request, since edges go with the node or keep it. */
  isJob(write: Write): boolean {
    const type = this.type(write.type)
    if (write.verb !== 'delete' || type.kind === 'edge') return false
    return this.pathsOf(type, write).some(({ onDelete }) => onDelete !== 'leave')
  }

  /** Whatever keeps a write from being done; nothing where it is done. With a condition, all may be told as that. */
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
    // A sum of 0 does not mean that a node has no edges.
    const holds = paths
      .filter(({ onDelete }) => onDelete !== 'cascade')
      .some(({ edge, end }) => {
        const kept = keptInTransaction(edge).filter(each => each.end === end.name)
        return this.edgesAt(edge, end, id).some(row => kept.some(each => isOf(each, row)))
      })
    return holds ? ['node.edges'] : []
  }

  /** What becomes of the edges at each end that a node can be: as declared, or as asked where they would be left. */
  private pathsOf(node: DeclaredNode, { edges: asked }: Write) {
    return this.graph.edges.flatMap(edge =>
      edge.ends
        .filter(end => end.node === node)
        .map(end => {
          const onDelete = end.onDelete === 'leave' && asked ? asked : end.onDelete
          // What is declared to keep the node does so whatever becomes of the rest.
          const isAllowed = asked === undefined || asked === onDelete || (asked === 'cascade' && onDelete === 'refuse')
          return { edge, end, onDelete, isAllowed }
        }),
    )
  }

  /** The edges that go with a node that is deleted. */
  goneWith(write: Write): Placed[] {
    const node = this.type(write.type) as DeclaredNode
    const id = idOf(node, write.row)
    return this.pathsOf(node, write)
      .filter(({ onDelete }) => onDelete === 'cascade')
      .flatMap(({ edge, end }) => this.edgesAt(edge, end, id).map(row => ({ type: edge, row })))
  }

  /** All but these, and nothing else of what goes with them. */
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
      // A create takes it for a new one.
      const found = edge.one === name ? this.there(edge, row) : this.meant(edge, row)
      const before = verb === 'create' ? undefined : found
      const isNew = isKeptAnew(edge, end, before, row) || (onDelete !== 'leave' && !before)
      if ((isNew || checkingEnds) && !there) codes.push('edge.end.absent')
      const carries = edge.carry.some(carry => carry.end === name && !node.id.includes(carry.attribute))
      if (carries && !there) codes.push('edge.carry.absent')
    }
    return this.overflows(edge, write) ? [...codes, 'edge.embed.full'] : codes
  }

  /** Whether a node would hold more entries than it may, once the edge is there; a create takes it for a new one. */
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

  /** The rows after a write that nothing keeps from being done. */
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

  /** Copies of a node that follow it, on the edges that it has. */
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

  /** The nodes and edges that a write may touch or depend on, as texts. */
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

  /** Rows by type, to be made into items. */
  example(): Record<string, Row[]> {
    return Object.fromEntries([...this.rows].map(([type, rows]) => [type, [...rows.values()]]))
  }

  keys(type: DeclaredType): unknown[] {
    return this.stored(type.name).map(row => keyOf(type, row))
  }
}

/** What writers keep of an edge in the nodes at its ends; the stream keeps the rest, whether they are there or not. */
const keptInTransaction = ({ count, sum, embed }: DeclaredEdge) => [
  ...[...count, ...sum].filter(({ by }) => by === 'transaction'),
  ...embed,
]

/** Whether a counter is of such an edge. */
const isOf = ({ where = {} }: Partial<DeclaredCount>, row: Row) =>
  Object.entries(where).every(([name, values]) => values.some(value => Object.values(value)[0] === String(row[name])))

/** Whether a node comes to keep something of an edge that it did not before. */
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

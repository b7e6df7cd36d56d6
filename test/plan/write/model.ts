import fc from 'fast-check'
import type { DeclaredType } from '../../../src/layout/slots.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredGraph, DeclaredNode } from '../../../src/schema/declarations.js'
import { add, exclude, include, PatchOperation, remove } from '../../../src/schema/patch-operations.js'
import { operated } from '../../graph/model/reference/apply-patch.js'

export type Row = Record<string, unknown>

export interface Command {
  readonly type: string
  readonly verb: 'create' | 'put' | 'update' | 'delete'
  /** The full row of a create or a put; the identity otherwise. */
  readonly row: Row
  readonly patch: Row
}

/** A small pool of values, so that they collide. */
function anyValue({ kind, element, values }: DeclaredAttribute): fc.Arbitrary<unknown> {
  if (kind === 'integer' || kind === 'number') return fc.constantFrom(-2, 0, 12)
  if (kind === 'date') return fc.constantFrom(new Date(0), new Date('2024-05-06T07:08:09.100Z'))
  if (kind === 'set')
    return fc.uniqueArray(anyValue(element!), { minLength: 1, maxLength: 2 }).map(each => new Set(each))
  if (kind === 'oneOf') return fc.constantFrom(...values!)
  return fc.constantFrom('a', 'b#', 'a', 'b#', '$')
}

/** An even smaller pool, so that most commands find an existing row. */
function keyValue(attribute: DeclaredAttribute): fc.Arbitrary<unknown> {
  return attribute.kind === 'integer' ? fc.constantFrom(0, 12) : anyValue(attribute)
}

function idOf(node: DeclaredNode): fc.Arbitrary<unknown> {
  if (node.id.length === 1 && !node.within) return keyValue(node.attributes[node.id[0]!]!)
  return fc.record(idParts(node))
}

function idParts(node: DeclaredNode): Record<string, fc.Arbitrary<unknown>> {
  const parts = Object.fromEntries(node.id.map(name => [name, keyValue(node.attributes[name]!)]))
  return node.within ? { ...parts, [node.within.name]: idOf(node.within) } : parts
}

function identityParts(type: DeclaredType): Record<string, fc.Arbitrary<unknown>> {
  if (type.kind === 'node') return idParts(type)
  const key = type.key.map(name => [name, keyValue(type.attributes[name]!)] as const)
  return Object.fromEntries([...type.ends.map(({ name, node }) => [name, idOf(node)] as const), ...key])
}

/** Immutable values follow from the identity, so that a node created again has the same ones. */
function fixed(type: DeclaredType, row: Row): Row {
  const one = type.kind === 'edge' && type.one !== undefined
  const text = one ? JSON.stringify(type.ends.map(({ name }) => row[name])) : identityText(type, row)
  const made = Object.entries(type.attributes)
    .filter(([name, { immutable }]) => immutable && !(name in identityParts(type)))
    .map(([name, { kind }]) => [name, kind === 'integer' ? text.length : text])
  return { ...row, ...Object.fromEntries(made) }
}

function rowOf(type: DeclaredType): fc.Arbitrary<Row> {
  const identity = identityParts(type)
  const rest = Object.entries(type.attributes).filter(([name, { derived }]) => !derived && !(name in identity))
  const attributes = rest.map(([name, attribute]) => {
    const value = anyValue(attribute)
    return [name, attribute.optional ? fc.option(value, { nil: undefined }) : value] as const
  })
  return fc.record({ ...identity, ...Object.fromEntries(attributes) }).map(row => fixed(type, row))
}

function changeOf(attribute: DeclaredAttribute): fc.Arbitrary<unknown> {
  const value = anyValue(attribute)
  const choices = [value, fc.constant(undefined)]
  if (attribute.optional) choices.push(fc.constant(remove()))
  if (attribute.kind === 'integer') choices.push(fc.integer({ min: -2, max: 2 }).map(by => add(by)))
  if (attribute.kind === 'set') {
    choices.push(anyValue(attribute.element!).map(member => include(member)))
    if (attribute.optional) choices.push(anyValue(attribute.element!).map(member => exclude(member)))
  }
  return fc.oneof(...choices)
}

/** Nodes exist most of the time, because edges need them. */
const VERBS = {
  node: ['create', 'create', 'put', 'put', 'update', 'delete'],
  edge: ['create', 'create', 'put', 'put', 'update', 'update', 'update', 'delete'],
} as const

/** A command, and another command that runs between its read and its write. */
export type Meeting = readonly [Command, Command | undefined]

export function meetings({ nodes, edges }: DeclaredGraph): fc.Arbitrary<Meeting[]> {
  const each = [...nodes, ...edges].map(type => {
    const free = Object.entries(type.attributes).filter(
      ([name, { derived, immutable }]) => !derived && !immutable && !(name in identityParts(type)),
    )
    const patch = fc.record(Object.fromEntries(free.map(([name, attribute]) => [name, changeOf(attribute)])))
    return fc.record({
      type: fc.constant(type.name),
      verb: fc.constantFrom(...VERBS[type.kind]),
      row: rowOf(type),
      patch: patch as fc.Arbitrary<Row>,
    })
  })
  const command = fc.oneof(...each) as fc.Arbitrary<Command>
  const meeting = fc.tuple(command, fc.option(command, { nil: undefined, freq: 3 }))
  return fc.array(meeting, { minLength: 1, maxLength: 40, size: 'max' })
}

/**
 * The identity of an undirected edge does not depend on the order of its ends; an only edge is identified by its
 * node.
 */
function identityText(type: DeclaredType, row: Row): string {
  const names = Object.keys(identityParts(type))
  if (type.kind === 'edge' && type.one !== undefined) return JSON.stringify(row[type.one])
  if (type.kind === 'node' || !type.undirected) return JSON.stringify(names.map(name => row[name]))
  const ends = type.ends.map(({ name }) => JSON.stringify(row[name])).sort()
  return JSON.stringify([ends, type.key.map(name => row[name])])
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The graph as plain rows. */
export class Model {
  readonly rows = new Map<string, Map<string, Row>>()

  constructor(private readonly graph: DeclaredGraph) {
    for (const { name } of [...graph.nodes, ...graph.edges]) this.rows.set(name, new Map())
  }

  type(name: string): DeclaredType {
    return [...this.graph.nodes, ...this.graph.edges].find(type => type.name === name)!
  }

  example(): Record<string, Row[]> {
    return Object.fromEntries([...this.rows].map(([type, rows]) => [type, [...rows.values()]]))
  }

  present(type: DeclaredType, row: Row): Row | undefined {
    return this.rows.get(type.name)!.get(identityText(type, row))
  }

  /** Returns the existing edge if it is the given one. */
  private meant(type: DeclaredType, row: Row): Row | undefined {
    const there = this.present(type, row)
    if (!there || type.kind === 'node' || type.one === undefined) return there
    return type.ends.every(({ name }) => same(there[name], row[name])) ? there : undefined
  }

  node(node: DeclaredNode, id: unknown): Row | undefined {
    const row = node.id.length === 1 && !node.within ? { [node.id[0]!]: id } : (id as Row)
    return this.present(node, row)
  }

  /** The reasons to refuse a command; empty when it must succeed. */
  refusals(command: Command): string[] {
    const type = this.type(command.type)
    const there = this.present(type, command.row)
    const { verb } = command
    if (verb === 'update') return this.updateRefusals(type, command)
    if (verb === 'delete') {
      const ends = this.graph.edges.flatMap(edge => edge.ends)
      if (ends.some(({ node, onDelete }) => node === type && onDelete !== 'leave')) return ['node.cascade']
      return type.kind === 'node' && there && this.keeps(type, there) ? ['node.edges'] : []
    }
    const codes = verb === 'create' && there ? ['write.exists'] : []
    return [
      ...codes,
      ...this.takenUniques(type, command.row),
      ...(type.kind === 'edge' ? this.endRefusals(type, command.row) : []),
    ]
  }

  private updateRefusals(type: DeclaredType, command: Command): string[] {
    if (Object.values(command.patch).every(value => value === undefined)) return ['write.empty']
    const there = this.meant(type, command.row)
    return there ? this.takenUniques(type, patched(there, command.patch)) : ['write.absent']
  }

  private takenUniques(type: DeclaredType, row: Row): string[] {
    if (type.kind === 'edge') return []
    const others = [...this.rows.get(type.name)!]
      .filter(([id]) => id !== identityText(type, row))
      .map(([, other]) => other)
    const taken = type.unique.some(name => row[name] !== undefined && others.some(other => other[name] === row[name]))
    return taken ? ['unique.taken'] : []
  }

  private endRefusals(edge: DeclaredEdge, row: Row): string[] {
    const before = this.meant(edge, row)
    const codes: string[] = []
    for (const { name, node, onDelete } of edge.ends) {
      const there = this.node(node, row[name])
      const kept = [...edge.count, ...edge.embed].some(({ end }) => end === name) || onDelete !== 'leave'
      if (kept && !before && !there) codes.push('edge.end.absent')
      if (!there && edge.carry.some(({ end, attribute }) => end === name && !node.id.includes(attribute)))
        codes.push('edge.carry.absent')
      for (const { end, max } of edge.embed)
        if (end === name && !before && this.edgesAt(edge, row[name], [end]).length >= max) codes.push('edge.embed.full')
    }
    return codes
  }

  /** The edges of a type that lead to a node by one of these ends. */
  private edgesAt(edge: DeclaredEdge, id: unknown, ends: readonly string[]): Row[] {
    return [...this.rows.get(edge.name)!.values()].filter(row => ends.some(end => same(row[end], id)))
  }

  private keeps(node: DeclaredNode, row: Row): boolean {
    const id = node.id.length === 1 && !node.within ? row[node.id[0]!] : undefined
    return this.graph.edges.some(edge => {
      const ends = edge.ends.filter(end => end.node === node).map(({ name }) => name)
      const kept = [...edge.count, ...edge.embed].map(({ end }) => end).filter(end => ends.includes(end))
      return id === undefined ? false : this.edgesAt(edge, id, kept).length > 0
    })
  }

  apply({ type: name, verb, row, patch }: Command): void {
    const type = this.type(name)
    const rows = this.rows.get(name)!
    const id = identityText(type, row)
    if (verb === 'delete') {
      if (this.meant(type, row)) rows.delete(id)
    } else if (verb === 'update') rows.set(id, patched(rows.get(id) ?? row, patch))
    else rows.set(id, type.kind === 'edge' ? this.withCarried(type, row) : row)
  }

  /** Commands in groups of at most three with distinct nodes and edges. */
  groups(commands: readonly (Command | undefined)[]): Command[][] {
    const groups: Command[][] = [[]]
    const aboutOf = ({ type, row }: Command) => `${type} ${identityText(this.type(type), row)}`
    for (const command of commands) {
      if (!command) continue
      const last = groups.at(-1)!
      const isNew = last.length < 3 && last.every(each => aboutOf(each) !== aboutOf(command))
      if (isNew) last.push(command)
      else groups.push([command])
    }
    return groups.filter(group => group.length > 0)
  }

  /** Creates nodes before their edges and deletes them after their edges. */
  private inTurn(group: readonly Command[]): Command[] {
    const turn = ({ type, verb }: Command) => (this.type(type).kind === 'edge' ? 1 : verb === 'delete' ? 2 : 0)
    return [...group].sort((a, b) => turn(a) - turn(b))
  }

  applyTogether(group: readonly Command[]): void {
    for (const command of this.inTurn(group)) this.apply(command)
  }

  private copy(): Model {
    const copy = new Model(this.graph)
    for (const [type, rows] of this.rows) copy.rows.set(type, new Map(rows))
    return copy
  }

  refusalsTogether(group: readonly Command[]): string[] {
    const [after, without] = [this.copy(), this.copy()]
    const isGoing = ({ type, verb }: Command) => verb === 'delete' && this.type(type).kind === 'node'
    for (const command of group) if (isGoing(command)) without.apply(command)
    const [reasons, others]: [string[], string[]] = [[], []]
    for (const command of after.inTurn(group)) {
      const [refusals, gone] = [after.refusals(command), without.refusals(command)]
      others.push(...refusals, ...gone)
      // A unique value may move to another node, but the source of a carried attribute must not be deleted.
      reasons.push(
        ...refusals.filter(code => code !== 'unique.taken'),
        ...gone.filter(code => code === 'edge.carry.absent'),
      )
      if (refusals.every(code => code === 'unique.taken')) after.apply(command)
      if (!isGoing(command)) without.apply(command)
    }
    for (const type of this.graph.nodes)
      for (const row of after.rows.get(type.name)!.values()) reasons.push(...after.takenUniques(type, row))
    // An existing edge may be refused because of the node that is deleted first.
    if (group.some(isGoing)) others.push('edge.end.absent')
    return reasons.length > 0 ? [...reasons, ...others] : []
  }

  private withCarried(edge: DeclaredEdge, row: Row): Row {
    const copies = edge.carry.map(({ copyName, end, attribute }) => {
      const { node } = edge.ends.find(({ name }) => name === end)!
      return [copyName, this.node(node, row[end])?.[attribute]]
    })
    return { ...row, ...Object.fromEntries(copies) }
  }
}

function patched(row: Row, patch: Row): Row {
  const after = { ...row }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    after[name] = value instanceof PatchOperation ? operated(row[name], value) : value
  }
  return after
}

import { expect } from 'vitest'
import type { Call } from '../../../src/graph/types/call.js'
import type { DeclaredGraph, DeclaredNode } from '../../../src/schema/declarations.js'
import { idOf, otherEnd, type Row, textOf } from './reference/identity.js'
import { found, pathsOf, type ReadPath } from './reference/reads.js'
import type { Machine } from './runner/machine.js'
import { outcomeOf, shown } from './runner/outcome.js'
import type { Choice } from './runner/random-choice.js'

interface AnyTraversal {
  hop(path: unknown): AnyTraversal
  ids(): Call<unknown[]>
  edges(): Call<Row[]>
}

type Starting = Record<string, { from(id: unknown): AnyTraversal }>

/** How many pairs of paths are followed at a time. */
const PAIRS = 4

/** Two hops by paths of the graph reach what the rows say, each adjacency list is read once, and ranks add up. */
export async function expectTraversals(machine: Machine, choice: Choice): Promise<void> {
  const { model, handles } = machine
  const starting = pathsOf(model.graph).filter(({ startsAt }) => startsAt !== undefined)
  const pairs = starting.flatMap(first =>
    starting.filter(({ startsAt }) => startsAt === reachedBy(first).name).map(second => [first, second] as const),
  )
  if (pairs.length === 0) return
  await machine.settle()
  for (let i = 0; i < PAIRS; i++) {
    const [first, second] = choice.of(pairs)
    const node = model.type(first.startsAt!) as DeclaredNode
    const rows = model.stored(node.name)
    if (rows.length === 0) continue
    const id = idOf(node, choice.of(rows))
    const paths = [first, second].map(({ type, name }) => handles[type.name]!.by[name]!)
    const from = (handles as unknown as Starting)[node.name]!.from(id)
    const one = hopped(machine, first, [id])
    const two = hopped(machine, second, one.ids)
    const where = `${node.name} ${shown(id)} by ${first.type.name}.${first.name}, ${second.type.name}.${second.name}`
    const outcome = await outcomeOf(() => from.hop(paths[0]).hop(paths[1]).edges())
    // An edge may lead to an id that the keys of its node do not take.
    if (outcome.code?.startsWith('key.')) continue
    expect(outcome.code, where).toBeUndefined()
    expect(sorted((outcome as { value: Row[] }).value), where).toEqual(sorted(two.rows))
    expect(sorted(await from.hop(paths[0]).ids()), where).toEqual(sorted(one.ids))
  }
}

const reachedBy = ({ type, end }: ReadPath): DeclaredNode => (type.kind === 'node' ? type : otherEnd(type, end!).node)

const sorted = (all: readonly unknown[]): string[] => all.map(one => shown(inOrder(one))).sort()

/** A row with its members by their names, and sets in order: a read and a model need not have them in one order. */
function inOrder(value: unknown): unknown {
  const isRow = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (Array.isArray(value)) return value.map(inOrder)
  if (value instanceof Set) return new Set([...value].sort())
  if (!isRow) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, inOrder(member)]),
  )
}

/** Whether declarations let a node be gone while rows lead to it: it expires, or its deletion takes several writes. */
function canBeGone({ nodes, edges }: DeclaredGraph, { name, expires }: DeclaredNode): boolean {
  const isStepwise = (onDelete: string | undefined) => onDelete === 'cascade' || onDelete === 'refuse'
  const ends = edges.flatMap(edge => edge.ends).filter(end => end.node.name === name)
  const owned = nodes.filter(({ within }) => within?.name === name)
  return expires !== undefined || [...ends, ...owned].some(({ onDelete }) => isStepwise(onDelete))
}

/** The rows of the lists of some nodes that lead to nodes that are there, and the ids of these. */
function hopped({ model }: Machine, path: ReadPath, ids: readonly unknown[]) {
  const node = reachedBy(path)
  const isRead = canBeGone(model.graph, node)
  const leadsTo = (row: Row) =>
    path.end && path.type.kind === 'edge' ? row[otherEnd(path.type, path.end).name] : idOf(node, row)
  const rows = ids
    .flatMap(given => found(model, { path, given, reverse: false, consistent: false }) as Row[])
    .filter(row => !isRead || model.node(node, leadsTo(row)))
  const reached = new Map(rows.map(row => [textOf(leadsTo(row)), leadsTo(row)]))
  return { rows, ids: [...reached.values()] }
}

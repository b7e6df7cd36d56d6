import { checkOptions, rejectDeclarationIf } from './checks/assertions.js'
import { checkDistinct, checkIdentifier } from './checks/names.js'
import type { DeclaredEdge, DeclaredGraph, DeclaredNode } from './declarations.js'
import { findEnd } from './edge/ends.js'
import type { AnyEdge } from './types/edge-types.js'
import type { Fault } from './types/fault.js'
import type { AnyNode } from './types/node-types.js'

/** A type of node or edge. */
export type AnyType = AnyNode | AnyEdge

/** Nodes and edges that are stored in one table. */
export interface Graph<T extends AnyType, Tenant extends boolean = false> {
  readonly name: string
  readonly types: readonly T[]
  readonly tenant: Tenant
  readonly declared: DeclaredGraph
}

/** The options of a graph. */
export interface GraphOptions<Tenant extends boolean> {
  /** Whether every call is made for a tenant. The items of a tenant are stored in separate partitions. */
  readonly tenant?: Tenant
}

/**
 * A type that refers only to nodes with these names. All types are compared at once, because a look into each costs the
 * compiler more.
 */
type TypeReferringTo<Name> =
  | { readonly kind: 'node'; readonly options: { readonly id: unknown; readonly within?: { readonly name: Name } } }
  | { readonly kind: 'edge'; readonly ends: { readonly [end: string]: { readonly name: Name } } }

type ReferredNode<X> = X extends { readonly kind: 'edge'; readonly ends: infer E }
  ? E[keyof E]
  : X extends { readonly options: { readonly within: infer W } }
    ? W
    : never

/** The compile error for a missing node. Types whose names are only known as strings are accepted. */
type GraphFaults<T extends AnyType> = string extends T['name']
  ? unknown
  : [T] extends [TypeReferringTo<T['name']>]
    ? unknown
    : Fault<`give the graph its node '${Exclude<Extract<ReferredNode<T>, AnyNode>['name'], T['name']>}' too`>

/**
 * Declares a graph of nodes and edges. Its name is the name of its table, unless `open` gets another.
 *
 * @throws {graph.missing} if an edge or an owned node refers to a node that is not in `types`
 *
 * @example
 * ```ts
 * import { edge, graph, node, string } from 'edgewise'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const follows = edge('follows', { follower: user, followed: user })
 * const social = graph('social', [user, follows])
 * ```
 */
export function graph<T extends AnyType, const Tenant extends boolean = false>(
  name: string,
  types: readonly T[] & GraphFaults<T>,
  options: GraphOptions<Tenant> = {},
): Graph<T, Tenant> {
  checkIdentifier(name, 'graph')
  rejectDeclarationIf(
    name,
    !Array.isArray(types) || types.some(type => !type?.kind),
    'call.argument',
    '',
    'its types are not a list of nodes and edges; give a list of node() and edge() values.',
  )
  checkOptions(name, options, 'tenant')
  const declared = types.map(type => (type as unknown as { readonly declared: DeclaredNode | DeclaredEdge }).declared)
  const nodes = declared.filter(type => type.kind === 'node')
  const edges = linkClosures(declared.filter(type => type.kind === 'edge'))
  const tenant = (options.tenant ?? false) as Tenant
  checkDistinct(
    declared.map(type => type.name),
    name,
  )
  for (const type of declared)
    for (const node of type.kind === 'edge' ? type.ends.map(end => end.node) : [type.within])
      rejectDeclarationIf(
        type.name,
        node && !nodes.includes(node),
        'graph.missing',
        node?.name ?? '',
        `it refers to the node '${node?.name}', which is not in the graph; add that node to the graph.`,
      )
  checkDerivedTargets(edges)
  return { name, types, tenant, declared: { name, nodes, edges, tenant } }
}

/** Gives each tree the name of its closure. Rejects a closure without its tree, and a second closure of a tree. */
function linkClosures(edges: readonly DeclaredEdge[]): readonly DeclaredEdge[] {
  const closures = new Map<string, string>()
  for (const { name, closureOf, ends } of edges) {
    if (closureOf === undefined) continue
    const tree = edges.find(edge => edge.name === closureOf && edge.tree)
    const hasSameEnds = tree?.ends.every(({ name: end, node }) =>
      ends.some(each => each.name === end && each.node === node),
    )
    const fault = !hasSameEnds
      ? `it is the closure of '${closureOf}', which is not in the graph; add that tree to the graph.`
      : closures.has(closureOf) &&
        `'${closures.get(closureOf)}' is the closure of '${closureOf}' too; drop one of them.`
    rejectDeclarationIf(name, fault, 'edge.closure', closureOf, fault || '')
    closures.set(closureOf, name)
  }
  return edges.map(edge => (closures.has(edge.name) ? { ...edge, closure: closures.get(edge.name) } : edge))
}

/** Rejects derived data with two sources, which could not be kept exact. */
function checkDerivedTargets(edges: readonly DeclaredEdge[]): void {
  const sources = new Map<string, string>()
  for (const edge of edges)
    for (const { end, into, ...aggregate } of [...edge.count, ...edge.sum, ...edge.embed]) {
      // The two ends of an undirected edge count as one source.
      if (edge.undirected && end === edge.ends[1].name) continue
      const target = `${findEnd(edge, end)!.node.name}.${into}`
      // The stream adds up all that an edge of a tree gives to a counter: itself, and what is below it.
      if (edge.tree && sources.get(target) === edge.name && 'by' in aggregate && aggregate.by === 'stream') continue
      const other = sources.get(target)
      rejectDeclarationIf(
        edge.name,
        other,
        'graph.derived',
        into,
        `${other} writes ${target} too; give each a separate target.`,
      )
      sources.set(target, edge.name)
    }
}

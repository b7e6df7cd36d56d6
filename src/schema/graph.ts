import { checkOptions, rejectDeclarationIf } from './checks/assertions.js'
import { checkDistinct, checkIdentifier } from './checks/names.js'
import type { DeclaredEdge, DeclaredGraph, DeclaredNode } from './declarations.js'
import { findEnd } from './edge/ends.js'
import type { AnyEdge } from './types/edge-types.js'
import type { Fault } from './types/fault.js'
import type { AnyNode } from './types/node-types.js'

export type AnyType = AnyNode | AnyEdge

/** Nodes and edges that live in one table. */
export interface Graph<T extends AnyType, Tenant extends boolean = false> {
  readonly name: string
  readonly types: readonly T[]
  readonly tenant: Tenant
  readonly declared: DeclaredGraph
}

/** What a graph may be told beside its types. */
export interface GraphOptions<Tenant extends boolean> {
  /** every call is made for a tenant, whose items lie in partitions of its own */
  readonly tenant?: Tenant
}

/** What refers to no node but those named so. Held against it as a whole, since looking into each type costs the compiler more. */
type TypeReferringTo<Name> =
  | { readonly kind: 'node'; readonly options: { readonly id: unknown; readonly within?: { readonly name: Name } } }
  | { readonly kind: 'edge'; readonly ends: { readonly [end: string]: { readonly name: Name } } }

type ReferredNode<X> = X extends { readonly kind: 'edge'; readonly ends: infer E }
  ? E[keyof E]
  : X extends { readonly options: { readonly within: infer W } }
    ? W
    : never

/** A node that is missing. Types whose names are not known by then pass. */
type GraphFaults<T extends AnyType> = string extends T['name']
  ? unknown
  : [T] extends [TypeReferringTo<T['name']>]
    ? unknown
    : Fault<`give the graph its node '${Exclude<Extract<ReferredNode<T>, AnyNode>['name'], T['name']>}' too`>

/** Nodes and edges together. Its name is that of its table, unless `open` is given another. */
export function graph<T extends AnyType, const Tenant extends boolean = false>(
  name: string,
  types: readonly T[] & GraphFaults<T>,
  options: GraphOptions<Tenant> = {},
): Graph<T, Tenant> {
  checkIdentifier(name, 'a graph')
  rejectDeclarationIf(
    name,
    !Array.isArray(types) || types.some(type => !type?.kind),
    'call.given',
    '',
    'give a list, each a node() or an edge()',
  )
  checkOptions(name, options, 'tenant')
  const declared = types.map(type => (type as unknown as { readonly declared: DeclaredNode | DeclaredEdge }).declared)
  const nodes = declared.filter(type => type.kind === 'node')
  const edges = declared.filter(type => type.kind === 'edge')
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
        `give the graph its node '${node?.name}' too`,
      )
  checkDerivedTargets(edges)
  return { name, types, tenant, declared: { name, nodes, edges, tenant } }
}

/** Derived data has one source, or it could not be kept exact. */
function checkDerivedTargets(edges: readonly DeclaredEdge[]): void {
  const sources = new Map<string, string>()
  for (const edge of edges)
    for (const { end, into } of [...edge.count, ...edge.sum, ...edge.embed]) {
      // The two ends of an undirected edge are one source.
      if (edge.undirected && end === edge.ends[1].name) continue
      const target = `${findEnd(edge, end)!.node.name}.${into}`
      const other = sources.get(target)
      rejectDeclarationIf(edge.name, other, 'graph.derived', into, `${other} writes ${target} too: give each its own`)
      sources.set(target, edge.name)
    }
}

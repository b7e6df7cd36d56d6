import type { DeclaredEdge, DeclaredGraph, DeclaredNode } from './declared.js'
import { endNamed } from './ends.js'
import { checkDistinct, checkName } from './names.js'
import { checkOptions, refuse } from './refusal.js'
import type { Fault } from './types/fault.js'
import type { AnyNode } from './types/identity.js'
import type { AnyEdge } from './types/neighbours.js'

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
type Referring<Name> =
  | { readonly kind: 'node'; readonly options: { readonly id: unknown; readonly within?: { readonly name: Name } } }
  | { readonly kind: 'edge'; readonly ends: { readonly [end: string]: { readonly name: Name } } }

type Referred<X> = X extends { readonly kind: 'edge'; readonly ends: infer E }
  ? E[keyof E]
  : X extends { readonly options: { readonly within: infer W } }
    ? W
    : never

/** A node that is missing. Types whose names are not known by then pass. */
type GraphFaults<T extends AnyType> = string extends T['name']
  ? unknown
  : [T] extends [Referring<T['name']>]
    ? unknown
    : Fault<`give the graph its node '${Exclude<Extract<Referred<T>, AnyNode>['name'], T['name']>}' too`>

/** Nodes and edges together. Its name is that of its table, unless `open` is given another. */
export function graph<T extends AnyType, const Tenant extends boolean = false>(
  name: string,
  types: readonly T[] & GraphFaults<T>,
  options: GraphOptions<Tenant> = {},
): Graph<T, Tenant> {
  checkName(name, 'a graph')
  refuse(
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
      refuse(
        type.name,
        node && !nodes.includes(node),
        'graph.missing',
        node?.name ?? '',
        `give the graph its node '${node?.name}' too`,
      )
  checkDerived(edges)
  return { name, types, tenant, declared: { name, nodes, edges, tenant } }
}

/** Derived data has one source, or it could not be kept exact. */
function checkDerived(edges: readonly DeclaredEdge[]): void {
  const sources = new Map<string, string>()
  for (const edge of edges)
    for (const { end, into } of [...edge.count, ...edge.sum, ...edge.embed]) {
      // The two ends of an undirected edge are one source.
      if (edge.undirected && end === edge.ends[1].name) continue
      const target = `${endNamed(edge, end)!.node.name}.${into}`
      const other = sources.get(target)
      refuse(edge.name, other, 'graph.derived', into, `${other} writes ${target} too: give each its own`)
      sources.set(target, edge.name)
    }
}

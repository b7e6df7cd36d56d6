import type { DeclaredEdge, DeclaredGraph, DeclaredNode } from './declared.js'
import { GraphError } from './error.js'
import { checkDistinct, checkName } from './names.js'
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

export interface GraphOptions<Tenant extends boolean> {
  /** every call is made for a tenant, whose items lie in partitions of its own */
  readonly tenant?: Tenant
}

export function graph<T extends AnyType, Tenant extends boolean = false>(
  name: string,
  types: readonly T[],
  options: GraphOptions<Tenant> = {},
): Graph<T, Tenant> {
  const declared = types.map(type => (type as unknown as { readonly declared: DeclaredNode | DeclaredEdge }).declared)
  const nodes = declared.filter(type => type.kind === 'node')
  const edges = declared.filter(type => type.kind === 'edge')
  const tenant = (options.tenant ?? false) as Tenant
  checkName(name, 'a graph')
  checkDistinct(
    declared.map(type => type.name),
    `the graph ${name}`,
  )
  checkComplete(nodes, edges)
  checkDerived(edges)
  return { name, types, tenant, declared: { name, nodes, edges, tenant } }
}

function checkComplete(nodes: readonly DeclaredNode[], edges: readonly DeclaredEdge[]): void {
  const needed = [
    ...edges.flatMap(({ name, ends }) => ends.map(({ node }) => ({ name, node }))),
    ...nodes.flatMap(({ name, within }) => (within ? [{ name, node: within }] : [])),
  ]
  for (const { name, node } of needed)
    if (!nodes.includes(node))
      throw new GraphError(
        'graph.missing',
        `${name} refers to the node '${node.name}', which is not in the graph: add it to the list`,
        {
          type: name,
          name: node.name,
        },
      )
}

/** Derived data has one source, or it could not be kept exact. */
function checkDerived(edges: readonly DeclaredEdge[]): void {
  const sources = new Map<string, string>()
  for (const { name, ends, undirected, count, sum, embed } of edges)
    for (const { end, into } of [...count, ...sum, ...embed]) {
      // The two ends of an undirected edge are one source.
      const target = `${ends.find(each => each.name === end)!.node.name}.${into}${undirected && end === ends[1].name ? ' ' : ''}`
      const other = sources.get(target)
      if (other)
        throw new GraphError(
          'graph.derived',
          `${target} is written by ${other} and by ${name}: give each an attribute of its own`,
          {
            type: name,
            name: into,
          },
        )
      sources.set(target, name)
    }
}

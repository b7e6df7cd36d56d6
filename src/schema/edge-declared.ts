import type {
  DeclaredCarry,
  DeclaredCount,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredNode,
  DeclaredSum,
} from './declared.js'
import { checkEdge } from './edge-checks.js'
import type { ByEnd, GivenCarry, GivenOptions } from './edge-given.js'
import { bothWays } from './edge-undirected.js'
import { GraphError } from './error.js'
import { declaredAttributes } from './node.js'
import { declaredPath } from './path.js'
import type { Attributes } from './types/row.js'

export function declaredEdge(name: string, ends: object, attributes: Attributes, given: GivenOptions): DeclaredEdge {
  const nodes = declaredNodes(name, ends)
  const options = given.undirected ? bothWays(name, Object.keys(nodes), given) : given
  const edge: DeclaredEdge = {
    kind: 'edge',
    name,
    ends: declaredEnds(name, nodes, options),
    attributes: declaredAttributes(name, attributes),
    key: options.key ?? [],
    one: options.one,
    undirected: options.undirected ?? false,
    carry: Object.entries(options.carry ?? {}).map(([as, source]) => declaredCarry(as, source)),
    count: Object.entries(options.count ?? {}).map(
      ([end, count]): DeclaredCount =>
        typeof count === 'string' ? { end, into: count, by: 'transaction' } : { end, into: count.into, by: count.by },
    ),
    sum: Object.entries(options.sum ?? {}).map(([end, sum]): DeclaredSum => ({ end, by: 'transaction', ...sum })),
    embed: Object.entries(options.embed ?? {}).map(([end, embed]): DeclaredEmbed => ({ end, ...embed })),
    expires: options.expires,
  }
  checkEdge(edge, options)
  return edge
}

function declaredNodes(type: string, ends: object): ByEnd<DeclaredNode> {
  const nodes = Object.entries(ends).map(([end, node]: [string, { readonly declared?: DeclaredNode } | undefined]) => [
    end,
    node?.declared,
  ])
  if (nodes.length === 2 && nodes.every(([, node]) => (node as DeclaredNode | undefined)?.kind === 'node'))
    return Object.fromEntries(nodes)
  throw new GraphError(
    'edge.ends',
    `${type} joins ${nodes.map(([end]) => end).join(', ')}: give two ends by name, each a node()`,
    { type },
  )
}

function declaredEnds(type: string, nodes: ByEnd<DeclaredNode>, options: GivenOptions): [DeclaredEnd, DeclaredEnd] {
  const [first, second] = Object.keys(nodes) as [string, string]
  const end = (name: string, other: string): DeclaredEnd => ({
    name,
    node: nodes[name]!,
    by: declaredPath(type, name, options.by?.[name] ?? {}, [other, ...(options.key ?? [])]),
    onDelete: options.onDelete?.[name] ?? 'leave',
  })
  return [end(first, second), end(second, first)]
}

function declaredCarry(as: string, source: GivenCarry): DeclaredCarry {
  const { from, sync, deleted = 'keep' } = typeof source === 'string' ? { from: source } : source
  const [end = '', attribute = ''] = from.split('.')
  return { as, end, attribute, sync, deleted }
}

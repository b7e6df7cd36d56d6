import { declaredOf } from './attributes/validated.js'
import type { DeclaredAttributes, DeclaredNode, Way } from './declared.js'
import { checkNode } from './node-checks.js'
import { declaredPath } from './path.js'
import type { AnyNode } from './types/identity.js'
import type { Attributes, Names } from './types/row.js'

export interface NodePath<N extends string> {
  /** the parts that every read by this path gives */
  readonly in?: readonly N[]
  /** what it is sorted by */
  readonly order?: readonly N[]
  readonly as?: NodeWay
  /** spreads a partition that is written or read too much for one */
  readonly shards?: number
}

type NodeWay = Extract<Way, 'index' | 'item' | 'local' | 'native'>

export interface NodeOptions<N extends string> {
  /** the attribute, or the attributes, that tell a node from every other of its type */
  readonly id: N | readonly N[]
  /** the node in whose partition it lives: its owner */
  readonly within?: AnyNode
  /** attributes of which no two nodes have the same value */
  readonly unique?: readonly N[]
  /** further ways to find nodes */
  readonly by?: { readonly [path: string]: NodePath<N> }
  /** the date after which the node is gone */
  readonly expires?: N
}

/** A type of node, as declared. */
export interface NodeType<Name extends string, A, O> {
  readonly kind: 'node'
  readonly name: Name
  readonly attributes: A
  readonly options: O
  readonly declared: DeclaredNode
}

/** Declares a type of node. Its name is in keys: renaming it moves data. */
export function node<const Name extends string, A extends Attributes, const O extends NodeOptions<Names<A>>>(
  name: Name,
  attributes: A,
  options: O,
): NodeType<Name, A, O> {
  const declared: DeclaredNode = {
    kind: 'node',
    name,
    attributes: declaredAttributes(name, attributes),
    id: typeof options.id === 'string' ? [options.id] : (options.id ?? []),
    within: (options.within as { readonly declared: DeclaredNode } | undefined)?.declared,
    unique: options.unique ?? [],
    paths: Object.entries(options.by ?? {}).map(([path, given]) => declaredPath(name, path, given, [])),
    expires: options.expires,
  }
  checkNode(declared)
  return { kind: 'node', name, attributes, options, declared }
}

export function declaredAttributes(type: string, attributes: Attributes): DeclaredAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, schema]) => [name, declaredOf(schema, `${type}.${name}`)]),
  )
}

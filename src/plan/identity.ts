import type { Key } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access.js'
import { keyText } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import { type DeclaredType, TENANT_SLOT } from '../layout/slots.js'
import type { Code } from '../schema/codes.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { identityMembers, valuesWithin } from './members.js'
import type { Slots } from './plan.js'

export { keyText } from '../layout/items.js'
export { keyOf, tableKey } from '../layout/store-item.js'

const kindsOf = once(({ kinds }: Layout) => new Map(kinds.map(kind => [kind.name, kind])))

/** The ways of reading, by `type.path`. */
export const accessesOf = once(
  ({ accesses }: Layout) => new Map(accesses.map(access => [`${access.type.name}.${access.name}`, access])),
)

export const kindNamed = (layout: Layout, name: string): Kind => kindsOf(layout).get(name)!

/** The kind of a type's own items has its name. */
export const ownKind = (layout: Layout, type: DeclaredType): Kind => kindNamed(layout, type.name)

/** The kind of the own items of the type that has this name. */
export function kindOf(layout: Layout, name: string): Kind {
  const kind = kindsOf(layout).get(name)
  if (kind?.type.name === name) return kind
  throw new GraphError('read.path', `the graph has no '${name}'`, { type: name })
}

export const typeOf = (layout: Layout, name: string): DeclaredType => kindOf(layout, name).type

/** A path, or what tells a node by a unique attribute. */
export function accessNamed(layout: Layout, type: string, name: string, unique = false): Access {
  const access = accessesOf(layout).get(`${type}.${name}`)
  if (access && (access.kind.role === 'unique') === unique) return access
  throw new GraphError('read.path', `there is no ${type}.by.${name}`, { type, name })
}

/** The ways that a read by a path goes: an undirected edge is read from both ends. */
export const waysOf = ({ accesses }: Layout, of: DeclaredType, path: string): readonly Access[] =>
  accesses.filter(({ type, name }) => type === of && (name === path || (of as DeclaredEdge).undirected))

/** The error of a read by a path, which it names; what is wrong with it may be another name. */
export function pathError(code: Code, { type, name: path }: Access, fault: string, name = path): GraphError {
  return new GraphError(code, `${type.name}.by.${path} ${fault}`, { type: type.name, name })
}

export const tenantValues = (tenant: string | undefined): Slots => (tenant ? { [TENANT_SLOT]: { S: tenant } } : {})

/** Whose values these are; where the graph has no tenants, something else may be called so. */
export const tenantOf = ({ design }: Layout, values: Slots): string | undefined =>
  design.tenant ? values[TENANT_SLOT]?.S : undefined

/** What tells a node or an edge from all others of its type: an id, or the ends and the key. */
export const identityValues = (type: DeclaredType, identity: unknown): Slots =>
  valuesWithin(identityMembers(type), identity, true)

/** Items by the texts of their keys, each once. */
export const byKey = <T extends Key>(layout: Layout, items: readonly T[]): Map<string, T> =>
  new Map(items.map(item => [keyText(layout, item), item]))

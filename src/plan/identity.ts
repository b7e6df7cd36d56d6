import type { Key } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access/access.js'
import { uniqueKeyTextOf } from '../layout/items/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { memoize } from '../layout/memoize.js'
import { type DeclaredType, TENANT_SLOT } from '../layout/slots.js'
import type { Code } from '../schema/codes.js'
import type { DeclaredEdge } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import { encodeMembers, identityMembers } from './members.js'
import type { SlotValues } from './plan.js'

export { keyOfItem, tableKeyOf } from '../layout/items/compose-item.js'
export { uniqueKeyTextOf } from '../layout/items/items.js'

const kindsOf = memoize(({ kinds }: Layout) => new Map(kinds.map(kind => [kind.name, kind])))

/** The accesses of a layout, by `type.path`. */
export const accessesOf = memoize(
  ({ accesses }: Layout) => new Map(accesses.map(access => [`${access.type.name}.${access.name}`, access])),
)

export const kindByName = (layout: Layout, name: string): Kind => kindsOf(layout).get(name)!

/** The kind of a type's own items. It has the name of the type. */
export const ownKindOf = (layout: Layout, type: DeclaredType): Kind => kindByName(layout, type.name)

/** The kind of the own items of the type with this name. */
export function ownKindByName(layout: Layout, name: string): Kind {
  const kind = kindsOf(layout).get(name)
  if (kind?.type.name === name) return kind
  throw new GraphError('read.path', `${name}: the graph does not declare this type; use one of its nodes and edges.`, {
    type: name,
  })
}

export const typeByName = (layout: Layout, name: string): DeclaredType => ownKindByName(layout, name).type

/** The access for a path, or for a unique attribute. */
export function accessByName(layout: Layout, type: string, name: string, unique = false): Access {
  const access = accessesOf(layout).get(`${type}.${name}`)
  if (access && (access.kind.role === 'unique') === unique) return access
  throw new GraphError(
    'read.path',
    `${type}.by.${name}: the graph does not declare this path; use a path that is declared.`,
    { type, name },
  )
}

/** The accesses that a read by a path uses: two for an undirected edge, which is read from both ends. */
export const accessesOfPath = ({ accesses }: Layout, of: DeclaredType, path: string): readonly Access[] =>
  accesses.filter(({ type, name }) => type === of && (name === path || (of as DeclaredEdge).undirected))

/** Creates an error about a read by a path. `problem` ends with the advice. `name` is the offending name when it is not the path itself. */
export function pathError(code: Code, { type, name: path }: Access, problem: string, name = path): GraphError {
  return new GraphError(code, `${type.name}.by.${path}: ${problem}.`, { type: type.name, name })
}

export const tenantValues = (tenant: string | undefined): SlotValues => (tenant ? { [TENANT_SLOT]: { S: tenant } } : {})

/** The tenant that the values belong to. Without declared tenants, a slot with this name is an ordinary attribute. */
export const tenantOf = ({ design }: Layout, values: SlotValues): string | undefined =>
  design.tenant ? values[TENANT_SLOT]?.S : undefined

/** Encodes the identity of a node or an edge: an id, or the ends and the key. */
export const encodeIdentity = (type: DeclaredType, identity: unknown): SlotValues =>
  encodeMembers(identityMembers(type), identity, true)

/** Indexes items by the texts of their keys. */
export const indexByKey = <T extends Key>(layout: Layout, items: readonly T[]): Map<string, T> =>
  new Map(items.map(item => [uniqueKeyTextOf(layout, item), item]))

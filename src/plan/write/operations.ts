import type { Layout } from '../../layout/layout.js'
import type { OnDelete } from '../../schema/declarations.js'
import { isClosure } from '../../schema/edge/closure.js'
import type { Plan } from '../plan.js'
import { type TypeTraits, traitsOf } from '../type-traits.js'
import { toPatchChange } from './intent/patch-change.js'
import { memberError, toIdentityChange, toRowChange, type WriteOptions } from './intent/row-change.js'
import { planChanges } from './plan-changes.js'
import { deletionPathsOf, ownedTypesOf } from './plan-deletion.js'

export { deletionPathsOf, ownedTypesOf, planMarkChange, planMarkDeleting } from './plan-deletion.js'

/** The traits of a type. Rejects a closure, which only the consumer of the stream writes. */
function writableTraitsOf(layout: Layout, name: string): TypeTraits {
  const traits = traitsOf(layout, name)
  const { type } = traits
  if (isClosure(type))
    throw memberError(
      'edge.closure',
      type,
      '',
      `the stream consumer writes this edge from '${type.closureOf}'; write '${type.closureOf}' instead`,
    )
  return traits
}

type RowInput = Readonly<Record<string, unknown>>

/** Plans creating a node or an edge that does not exist. */
export function planCreate(layout: Layout, type: string, row: RowInput, options: WriteOptions): Plan {
  return planChanges(layout, [toRowChange(writableTraitsOf(layout, type), 'create', row, options)])
}

/** Plans writing a complete node or edge, whether or not it exists. */
export function planPut(layout: Layout, type: string, row: RowInput, options: WriteOptions): Plan {
  return planChanges(layout, [toRowChange(writableTraitsOf(layout, type), 'put', row, options)])
}

/** Plans patching an existing node or edge. */
export function planUpdate(
  layout: Layout,
  type: string,
  identity: unknown,
  patch: RowInput,
  options: WriteOptions,
): Plan {
  return planChanges(layout, [toPatchChange(writableTraitsOf(layout, type), identity, patch, options)])
}

/** Plans a check of a node or an edge within a transaction: the row exists, and meets the condition of the options. */
export function planCheck(layout: Layout, type: string, identity: unknown, options: WriteOptions): Plan {
  return planChanges(layout, [toIdentityChange(traitsOf(layout, type), 'check', identity, options)])
}

/** Plans deleting a node or an edge in a single request. For a node, this requires that its edges are left. */
export function planDelete(
  layout: Layout,
  type: string,
  identity: unknown,
  options: WriteOptions & { readonly edges?: OnDelete | undefined },
): Plan {
  const traits = writableTraitsOf(layout, type)
  const [path] = deletionPathsOf(layout, traits.type, options.edges)
  const [ownedType] = ownedTypesOf(layout, traits.type)
  if (path || ownedType)
    throw memberError(
      'node.cascade',
      traits.type,
      (path?.edge ?? ownedType!.type).name,
      'the deletion takes more than one request; delete the node in a separate call',
    )
  return planChanges(layout, [toIdentityChange(traits, 'delete', identity, options)])
}

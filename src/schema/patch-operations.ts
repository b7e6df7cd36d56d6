export type PatchOperationKind = 'add' | 'remove' | 'append' | 'prepend' | 'include' | 'exclude' | 'within'

/** A global symbol, which also recognizes operations from another copy of the package. */
const PATCH_OPERATION = Symbol.for('edgewise.operation')

/**
 * A value of a patch that changes the stored value instead of replacing it.
 *
 * @example
 * ```ts
 * import { add, graph, integer, node, open, remove, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const page = node('page', { id: string(), views: integer(), note: string().optional() }, { id: 'id' })
 * const g = await open(graph('pages', [page]), memory())
 * await g.page.put({ id: 'home', views: 1, note: 'draft' })
 * await g.page.update('home', { views: add(1), note: remove() })
 * ```
 */
export class PatchOperation<Kind extends PatchOperationKind = PatchOperationKind, T = unknown> {
  constructor(
    readonly kind: Kind,
    readonly value: T,
  ) {}

  [PATCH_OPERATION](): void {}
}

export const isPatchOperation = (value: unknown): value is PatchOperation => PATCH_OPERATION in Object(value)

/**
 * Adds to a number atomically, also when other writers add at the same time.
 *
 * @param by - the number to add; for a decimal also a string
 *
 * @example
 * ```ts
 * import { add } from 'edgewise'
 *
 * const patch = { views: add(1) }
 * ```
 */
export function add<N extends number | bigint | string>(by: N): PatchOperation<'add', N> {
  return new PatchOperation('add', by)
}

/**
 * Removes an optional attribute, a member of a map or an element of a list.
 *
 * @example
 * ```ts
 * import { remove } from 'edgewise'
 *
 * const patch = { nickname: remove() }
 * ```
 */
export function remove(): PatchOperation<'remove', undefined> {
  return new PatchOperation('remove', undefined)
}

/**
 * Appends elements to a list.
 *
 * @example
 * ```ts
 * import { append } from 'edgewise'
 *
 * const patch = { steps: append('stir', 'serve') }
 * ```
 */
export function append<const T>(...elements: T[]): PatchOperation<'append', T[]> {
  return new PatchOperation('append', elements)
}

/**
 * Inserts elements at the beginning of a list.
 *
 * @example
 * ```ts
 * import { prepend } from 'edgewise'
 *
 * const patch = { steps: prepend('preheat') }
 * ```
 */
export function prepend<const T>(...elements: T[]): PatchOperation<'prepend', T[]> {
  return new PatchOperation('prepend', elements)
}

/**
 * Adds members to a set.
 *
 * @example
 * ```ts
 * import { include } from 'edgewise'
 *
 * const patch = { tags: include('new') }
 * ```
 */
export function include<const T>(...members: T[]): PatchOperation<'include', T[]> {
  return new PatchOperation('include', members)
}

/**
 * Removes members from a set. Members that the set does not have are ignored.
 *
 * @example
 * ```ts
 * import { exclude } from 'edgewise'
 *
 * const patch = { tags: exclude('draft') }
 * ```
 */
export function exclude<const T>(...members: T[]): PatchOperation<'exclude', T[]> {
  return new PatchOperation('exclude', members)
}

/**
 * Patches members of a map, or elements of a list by index. Other members and elements do not change.
 *
 * @example
 * ```ts
 * import { within } from 'edgewise'
 *
 * const patch = { address: within({ city: 'Bern' }) }
 * ```
 */
export function within<const P extends object>(patch: P): PatchOperation<'within', P> {
  return new PatchOperation('within', patch)
}

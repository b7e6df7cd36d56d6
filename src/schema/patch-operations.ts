export type PatchOperationKind = 'add' | 'remove' | 'append' | 'prepend' | 'include' | 'exclude' | 'within'

/** By which those of another copy of the package are known too. */
const PATCH_OPERATION = Symbol.for('edgewise.operation')

/** A value of a patch that changes what is stored instead of replacing it. */
export class PatchOperation<Kind extends PatchOperationKind = PatchOperationKind, T = unknown> {
  constructor(
    readonly kind: Kind,
    readonly value: T,
  ) {}

  [PATCH_OPERATION](): void {}
}

export const isPatchOperation = (value: unknown): value is PatchOperation => PATCH_OPERATION in Object(value)

/** Adds to a number, in one step with any other who adds at the same time; to a decimal by a text too. */
export function add<N extends number | bigint | string>(by: N): PatchOperation<'add', N> {
  return new PatchOperation('add', by)
}

/** Takes an optional attribute, or an entry of a map or a list, away. */
export function remove(): PatchOperation<'remove', undefined> {
  return new PatchOperation('remove', undefined)
}

/** Puts elements at the end of a list. */
export function append<const T>(...elements: T[]): PatchOperation<'append', T[]> {
  return new PatchOperation('append', elements)
}

/** Puts elements at the beginning of a list. */
export function prepend<const T>(...elements: T[]): PatchOperation<'prepend', T[]> {
  return new PatchOperation('prepend', elements)
}

/** Puts members into a set; those that it has stay. */
export function include<const T>(...members: T[]): PatchOperation<'include', T[]> {
  return new PatchOperation('include', members)
}

/** Takes members out of a set; those that it does not have are no matter. */
export function exclude<const T>(...members: T[]): PatchOperation<'exclude', T[]> {
  return new PatchOperation('exclude', members)
}

/** Patches members of a map, or elements of a list by their position, and leaves the others alone. */
export function within<const P extends object>(patch: P): PatchOperation<'within', P> {
  return new PatchOperation('within', patch)
}

export type OperationKind = 'add' | 'remove' | 'append' | 'prepend' | 'include' | 'exclude' | 'within'

/** By which those of another copy of the package are known too. */
const OPERATION = Symbol.for('edgewise.operation')

/** A value of a patch that changes what is stored instead of replacing it. */
export class Operation<Kind extends OperationKind = OperationKind, T = unknown> {
  constructor(
    readonly kind: Kind,
    readonly value: T,
  ) {}

  [OPERATION](): void {}
}

export const isOperation = (value: unknown): value is Operation => OPERATION in Object(value)

/** Adds to a number, in one step with any other who adds at the same time; to a decimal by a text too. */
export function add<N extends number | bigint | string>(by: N): Operation<'add', N> {
  return new Operation('add', by)
}

/** Takes an optional attribute, or an entry of a map or a list, away. */
export function remove(): Operation<'remove', undefined> {
  return new Operation('remove', undefined)
}

/** Puts elements at the end of a list. */
export function append<const T>(...elements: T[]): Operation<'append', T[]> {
  return new Operation('append', elements)
}

/** Puts elements at the beginning of a list. */
export function prepend<const T>(...elements: T[]): Operation<'prepend', T[]> {
  return new Operation('prepend', elements)
}

/** Puts members into a set; those that it has stay. */
export function include<const T>(...members: T[]): Operation<'include', T[]> {
  return new Operation('include', members)
}

/** Takes members out of a set; those that it does not have are no matter. */
export function exclude<const T>(...members: T[]): Operation<'exclude', T[]> {
  return new Operation('exclude', members)
}

/** Patches members of a map, or elements of a list by their position, and leaves the others alone. */
export function within<const P extends object>(patch: P): Operation<'within', P> {
  return new Operation('within', patch)
}

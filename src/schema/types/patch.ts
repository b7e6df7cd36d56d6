import type { Json } from '../attributes/json.js'
import type { Operation } from '../operations.js'
import type { In, IsMapped, IsOptional } from './row.js'

/** How a stored value of this type can be changed in place: JSON as a whole only. */
type InPlace<T> = [Json] extends [T] ? never : Changed<T>

type Changed<T> = T extends string | boolean | Date | Uint8Array
  ? never
  : T extends number
    ? Operation<'add', number>
    : T extends bigint
      ? Operation<'add', bigint>
      : T extends ReadonlySet<infer M>
        ? Operation<'include' | 'exclude', M[]>
        : T extends readonly (infer E)[]
          ?
              | Operation<'append' | 'prepend', E[]>
              | Operation<'within', { readonly [at: number]: E | InPlace<E> | Removal }>
          : T extends object
            ? Operation<
                'within',
                { readonly [K in keyof T]?: Exclude<T[K], undefined> | InPlace<T[K]> | Removable<T[K]> }
              >
            : never

type Removal = Operation<'remove', undefined>

type Removable<T> = undefined extends T ? Removal : never

type IsFixed<X> = X extends { readonly '~flag': infer F }
  ? 'immutable' extends F
    ? true
    : 'derived' extends F
      ? true
      : false
  : false

/** What an update may change: not the identity, nothing immutable, nothing derived. Of `{}` it could be anything. */
export type Patch<A, Key> = [keyof Changes<A, Key>] extends [never] ? Readonly<Record<string, never>> : Changes<A, Key>

type Changes<A, Key> = {
  readonly [K in keyof A as K extends Key ? never : IsFixed<A[K]> extends true ? never : K]?: Change<A[K]>
} & {}

type InPlaceOf<X> = X extends { readonly '~decimal': true }
  ? Operation<'add', string | number | bigint>
  : IsMapped<X> extends true
    ? never
    : InPlace<In<X>>

/** A value of a patch. The same for every attribute of a kind, and so looked into once. */
type Change<X> = X extends { readonly '~flag': unknown }
  ? In<X> | InPlaceOf<X> | (IsOptional<X> extends true ? Removal : never)
  : In<X> | (IsOptional<X> extends true ? Removal : never)

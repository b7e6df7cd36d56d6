import type { Json } from '../attributes/json.js'
import type { PatchOperation } from '../patch-operations.js'
import type { InputOf, IsMapped, IsOptional } from './row.js'

/** How a stored value of this type can be changed in place: JSON as a whole only. */
type InPlaceOperation<T> = [Json] extends [T] ? never : OperationOn<T>

type OperationOn<T> = T extends string | boolean | Date | Uint8Array
  ? never
  : T extends number
    ? PatchOperation<'add', number>
    : T extends bigint
      ? PatchOperation<'add', bigint>
      : T extends ReadonlySet<infer M>
        ? PatchOperation<'include' | 'exclude', M[]>
        : T extends readonly (infer E)[]
          ?
              | PatchOperation<'append' | 'prepend', E[]>
              | PatchOperation<'within', { readonly [at: number]: E | InPlaceOperation<E> | RemoveOperation }>
          : T extends object
            ? PatchOperation<
                'within',
                { readonly [K in keyof T]?: Exclude<T[K], undefined> | InPlaceOperation<T[K]> | RemoveIfOptional<T[K]> }
              >
            : never

type RemoveOperation = PatchOperation<'remove', undefined>

type RemoveIfOptional<T> = undefined extends T ? RemoveOperation : never

type IsReadOnly<X> = X extends { readonly '~flag': infer F }
  ? 'immutable' extends F
    ? true
    : 'derived' extends F
      ? true
      : false
  : false

/** What an update may change: not the identity, nothing immutable, nothing derived. Of `{}` it could be anything. */
export type Patch<A, Key> = [keyof PatchMembers<A, Key>] extends [never]
  ? Readonly<Record<string, never>>
  : PatchMembers<A, Key>

type PatchMembers<A, Key> = {
  readonly [K in keyof A as K extends Key ? never : IsReadOnly<A[K]> extends true ? never : K]?: PatchValue<A[K]>
} & {}

type InPlaceOperationOf<X> = X extends { readonly '~decimal': true }
  ? PatchOperation<'add', string | number | bigint>
  : IsMapped<X> extends true
    ? never
    : InPlaceOperation<InputOf<X>>

/** A value of a patch. The same for every attribute of a kind, and so looked into once. */
type PatchValue<X> = X extends { readonly '~flag': unknown }
  ? InputOf<X> | InPlaceOperationOf<X> | (IsOptional<X> extends true ? RemoveOperation : never)
  : InputOf<X> | (IsOptional<X> extends true ? RemoveOperation : never)

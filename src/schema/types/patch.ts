import type { Json } from '../attributes/json.js'
import type { PatchOperation } from '../patch-operations.js'
import type { InputOf, IsMapped, IsOptional } from './row.js'

/** The operations that change a stored value of this type in place. JSON values can only be replaced. */
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

/**
 * The changes that an update accepts: neither the identity nor immutable or derived attributes. The empty case is
 * written out, because `{}` would accept any object.
 */
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

/** A value of a patch. All attributes of one kind share the type, so the compiler resolves it once. */
type PatchValue<X> = X extends { readonly '~flag': unknown }
  ? InputOf<X> | InPlaceOperationOf<X> | (IsOptional<X> extends true ? RemoveOperation : never)
  : InputOf<X> | (IsOptional<X> extends true ? RemoveOperation : never)

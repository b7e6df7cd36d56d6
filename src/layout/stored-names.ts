import { PARTITION, SORT } from './keys/default-keys.js'
import type { LayoutOptions } from './options.js'
import type { DeclaredType } from './slots.js'

/** Under which names attributes are stored. */
export interface StoredNames {
  /** The attributes of the table's own key. */
  readonly keys: readonly string[]
  readonly partition: string
  /** The same as a place to query. */
  readonly keySchema: { readonly partition: readonly string[]; readonly sort: readonly string[] }
  /** Empty where the table has no sort key: no attribute has that name. */
  readonly sort: string
  /** The attribute that tells the type of an item. */
  readonly type: string
  readonly etag: string
  readonly expires: string
  /** The same where others write it, to items of any type. */
  readonly configuredExpires: string | undefined
  /** Of a node that is being deleted: whoever reads it takes it for gone. */
  readonly deletionMark: string
  /** What the stream keeps. Of an edge or its mirror: what the node in whose partition it lies has of it already. */
  readonly countedState: string
  /** Of a node: which of those that had its id it is, and a tag that is fresh at each counting. */
  readonly incarnation: string
  readonly countTag: string
  /** The stored name of a type's attribute, end or owner, by its slot. */
  attributeOf(type: DeclaredType, slot: string): string
}

export function storedNamesOf({ names, type, table }: LayoutOptions): StoredNames {
  const { keys = [PARTITION, SORT], expires = '_expires' } = table ?? {}
  const [partition, sort = ''] = keys
  return {
    keys,
    partition,
    keySchema: { partition: [partition], sort: keys.slice(1) },
    sort,
    type: (typeof type === 'object' ? type.attribute : type) ?? '_type',
    etag: '_etag',
    expires,
    configuredExpires: table?.expires,
    deletionMark: '_going',
    countedState: '_counted',
    incarnation: '_life',
    countTag: '_counts',
    attributeOf: (declared, slot) => names?.[declared.name]?.[slot] ?? declared.attributes[slot]?.storedAs ?? slot,
  }
}

import { PARTITION, SORT } from './drafts.js'
import type { Physical } from './given.js'
import type { DeclaredType } from './slots.js'

/** Under which names attributes are stored. */
export interface Names {
  /** The attributes of the table's own key. */
  readonly keys: readonly string[]
  readonly partition: string
  /** The same as a place to query. */
  readonly place: { readonly partition: readonly string[]; readonly sort: readonly string[] }
  /** Empty where the table has no sort key: no attribute has that name. */
  readonly sort: string
  /** The attribute that tells the type of an item. */
  readonly type: string
  readonly etag: string
  readonly expires: string
  /** The same where others write it, to items of any type. */
  readonly timed: string | undefined
  /** Of a node that is being deleted: whoever reads it takes it for gone. */
  readonly going: string
  /** What the stream keeps. Of an edge or its mirror: what the node in whose partition it lies has of it already. */
  readonly counted: string
  /** Of a node: which of those that had its id it is, and a tag that is fresh at each counting. */
  readonly life: string
  readonly counts: string
  /** The stored name of a type's attribute, end or owner, by its slot. */
  of(type: DeclaredType, slot: string): string
}

export function storedNames({ names, type, table }: Physical): Names {
  const { keys = [PARTITION, SORT], expires = '_expires' } = table ?? {}
  const [partition, sort = ''] = keys
  return {
    keys,
    partition,
    place: { partition: [partition], sort: keys.slice(1) },
    sort,
    type: (typeof type === 'object' ? type.attribute : type) ?? '_type',
    etag: '_etag',
    expires,
    timed: table?.expires,
    going: '_going',
    counted: '_counted',
    life: '_life',
    counts: '_counts',
    of: (declared, slot) => names?.[declared.name]?.[slot] ?? declared.attributes[slot]?.storedAs ?? slot,
  }
}

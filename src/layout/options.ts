import type { ProvisionedCapacity } from './design.js'

/** Templates by key attribute; under a name of another kind of item (`mirror`, `by.born`, `unique.email`) those of that. */
export interface KeyOptions {
  readonly [attribute: string]: string | { readonly [attribute: string]: string }
}

/** An index that is given by hand. */
export interface IndexOptions {
  /** The attributes of its key: the partition's, then the sort key's. */
  readonly keys: readonly [string] | readonly [string, string]
  /** Whether it is a local one, whose partition is that of the table's own key; global unless said. */
  readonly kind?: 'global' | 'local'
  readonly project?: 'all' | 'keys' | readonly string[]
  readonly capacity?: ProvisionedCapacity
}

/** What a layout can be told beside its keys; whatever is not said has a default. */
export interface PhysicalLayoutOptions {
  readonly table?: {
    /** The attributes of the table's own key, the partition's and the sort key's if it has one, where they are not PK and SK. */
    readonly keys?: readonly [string] | readonly [string, string]
    /** The attribute of its time to live, in seconds since 1970, where that is not _expires. */
    readonly expires?: string
  }
  readonly indexes?: { readonly [index: string]: IndexOptions }
  /** The attribute that tells the type of an item, and what it says if not the type's name. */
  readonly type?: string | { readonly attribute: string; readonly values?: { readonly [kind: string]: string } }
  /** Attributes with one text in every item of a kind, as other programs look for. */
  readonly marks?: { readonly [kind: string]: { readonly [attribute: string]: string } }
  /** Stored names of attributes, by type. */
  readonly names?: { readonly [type: string]: { readonly [attribute: string]: string } }
  readonly capacity?: 'on-demand' | ProvisionedCapacity
  /** Values stand in given keys as they are, with this between them; `fold` brings them to one case. */
  readonly raw?: boolean | { readonly separator?: string; readonly fold?: 'upper' | 'lower' }
}

export interface LayoutOptions extends PhysicalLayoutOptions {
  /** Templates by type. A type for which an index key of another name is given has no index keys but those given. */
  readonly keys?: { readonly [type: string]: KeyOptions }
}

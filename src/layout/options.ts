import type { ProvisionedCapacity } from './design.js'

/**
 * Key templates by key attribute. Another kind of item (`mirror`, `by.born`, `unique.email`) has its templates under
 * its name.
 */
export interface KeyOptions {
  readonly [attribute: string]: string | { readonly [attribute: string]: string }
}

/** A configured index. */
export interface IndexOptions {
  /** The attributes of its key: the partition key, then the sort key. */
  readonly keys: readonly [string] | readonly [string, string]
  /** Whether the index is local, with the partition key of the table; `global` by default. */
  readonly kind?: 'global' | 'local'
  readonly project?: 'all' | 'keys' | readonly string[]
  readonly capacity?: ProvisionedCapacity
}

/** The options of a layout except its keys. Each has a default. */
export interface PhysicalLayoutOptions {
  readonly table?: {
    /**
     * The attributes of the table's key: the partition key, and the sort key if it has one. `PK` and `SK` by default.
     */
    readonly keys?: readonly [string] | readonly [string, string]
    /** The attribute of the time to live, in seconds since 1970; `_expires` by default. */
    readonly expires?: string
  }
  readonly indexes?: { readonly [index: string]: IndexOptions }
  /** The attribute that holds the type of an item, and its values by kind; the name of the type by default. */
  readonly type?: string | { readonly attribute: string; readonly values?: { readonly [kind: string]: string } }
  /** Attributes with a constant text in every item of a kind, for programs that look for them. */
  readonly marks?: { readonly [kind: string]: { readonly [attribute: string]: string } }
  /** The stored names of attributes by type. */
  readonly names?: { readonly [type: string]: { readonly [attribute: string]: string } }
  readonly capacity?: 'on-demand' | ProvisionedCapacity
  /**
   * Writes values into custom keys without escaping, joined by the separator (`#` by default). `fold` converts them to
   * one case.
   */
  readonly raw?: boolean | { readonly separator?: string; readonly fold?: 'upper' | 'lower' }
}

/** The options of a layout. */
export interface LayoutOptions extends PhysicalLayoutOptions {
  /** Key templates by type. A type with a custom index key under a new name has no default index keys. */
  readonly keys?: { readonly [type: string]: KeyOptions }
}

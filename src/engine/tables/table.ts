import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Tag } from '../../dynamodb/operations/tables.js'
import type { KeySchema } from '../keys/schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Stored } from '../values/stored.js'

/** What every entry of an index holds beside its own and the table's key attributes. */
export type Projection = 'ALL' | readonly string[]

export interface Index {
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly keys: KeySchema
  readonly projection: Projection
  /** Every attribute that an entry can hold, or undefined where it holds all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<Stored>
  itemCount: number
  sizeBytes: number
}

/** A table as the operations use it. */
export interface Table {
  readonly name: string
  readonly keys: KeySchema
  readonly indexes: readonly Index[]
  readonly space: Space<Stored>
  /** What DescribeTable answers, but for what changes with every write. */
  description: TableDescription
  itemCount: number
  sizeBytes: number
  timeToLive: { attributeName: string; enabled: boolean } | undefined
  /** Kept from the table's creation for the operations on tags and policies. */
  tags?: Tag[]
  resourcePolicy?: string
}

import type { Store } from '../../store/port.js'

/** A live table that a batch reads by parallel Scans. */
export interface TableSource {
  readonly store: Store
  /** The name of the table; by default that of the layout. */
  readonly table?: string | undefined
  /** Parallel segments of the Scan; 4 by default. */
  readonly segments?: number | undefined
  /** Read capacity units that the Scan may use each second; by default as many as it gets. */
  readonly readUnits?: number | undefined
}

/**
 * Where a batch reads items from: the folder of an export, a full export followed by its incremental exports in order,
 * the folder of a dump, or a live table. An `s3://bucket/prefix` URL is downloaded as a folder would be read.
 */
export type BatchSource = string | readonly string[] | TableSource

/** The items of a source after they were read. */
export interface LoadedItems {
  readonly items: number
  /** The moment of the data in ISO 8601. The moment of an export is the time that was requested. */
  readonly moment: string
  /** Read capacity units that a Scan used; 0 of files. */
  readonly readUnits: number
}

import type { DeclaredType } from '../../layout/slots.js'
import type { GraphError } from '../../schema/error.js'

/** A file with rows, or another source that can return its bytes from any offset. */
export interface LoadSource {
  /** Name of the source in error messages. */
  readonly name: string
  /** JSON lines, a CSV table with a header, or the lines of a DynamoDB export: `{"Item": {…}}`, or Ion text. */
  readonly format: 'json' | 'csv' | 'dynamodb' | 'ion'
  /** Type of the rows that do not specify theirs. */
  readonly type?: string | undefined
  /** Attributes by the names of CSV columns, where these differ. An empty string leaves the column out. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** Separator of CSV cells. Default: a comma. */
  readonly separator?: string | undefined
  /** Returns the uncompressed bytes from an offset on. */
  open(start: number): AsyncIterable<Uint8Array>
}

/** A row of a source, or the reason why it cannot be read. */
export interface SourceRow {
  readonly line: number
  /** Position after the row in bytes. */
  readonly end: number
  /** The text of the row in the source. */
  readonly text: string
  readonly type?: DeclaredType
  readonly tenant?: string | undefined
  readonly row?: Readonly<Record<string, unknown>>
  readonly error?: GraphError
}

/** A position in a source. */
export interface SourcePosition {
  /** Offset in bytes. */
  readonly offset: number
  /** Number of lines before the position. */
  readonly lines: number
}

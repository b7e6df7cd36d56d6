import type { DeclaredType } from '../../layout/slots.js'
import type { GraphError } from '../../schema/error.js'

/** Rows in a file, or anything that gives its bytes again from anywhere on. */
export interface LoadSource {
  /** What failures call it. */
  readonly name: string
  /** JSON lines, a table with a header, or the lines of an export of DynamoDB (`{"Item": {…}}`). */
  readonly format: 'json' | 'csv' | 'dynamodb'
  /** The type of all its rows, where they do not tell theirs. */
  readonly type?: string | undefined
  /** Of a table: attributes by the names of its columns, where these are not the same; '' leaves a column out. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** Of a table: what stands between its cells; a comma unless said. */
  readonly separator?: string | undefined
  /** Its bytes, uncompressed, from this one on. */
  open(start: number): AsyncIterable<Uint8Array>
}

/** A row that was found, or why it is none. */
export interface SourceRow {
  readonly line: number
  /** The position after it, in bytes. */
  readonly end: number
  /** As it stands there. */
  readonly text: string
  readonly type?: DeclaredType
  readonly tenant?: string | undefined
  readonly row?: Readonly<Record<string, unknown>>
  readonly error?: GraphError
}

/** Where reading goes on. */
export interface SourcePosition {
  /** In bytes. */
  readonly offset: number
  /** How many lines are before it. */
  readonly lines: number
}

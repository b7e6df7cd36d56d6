import type { ExpressionReader } from './expressions/read.js'
import type { KeyValues } from './keyvalues/port.js'
import type { Table } from './tables/table.js'
import type { Tokens } from './transactions/tokens.js'
import type { Stored } from './values/stored.js'

/** What every operation works on. */
export interface Engine {
  readonly keyValues: KeyValues<Stored>
  readonly tables: Map<string, Table>
  readonly tokens: Tokens
  readonly expressions: ExpressionReader
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly region: string
  readonly accountId: string
}

import type { ContractCase } from '../case.js'
import { partiqlBatchCases } from './partiql-batches.js'
import { partiqlLiteralCases } from './partiql-literals.js'
import { partiqlReadCases } from './partiql-reads.js'
import { partiqlRefusalCases } from './partiql-refusals.js'
import { partiqlSelectCases } from './partiql-select.js'
import { partiqlTransactionCases } from './partiql-transactions.js'
import { partiqlWriteCases } from './partiql-writes.js'

/** Statements of PartiQL. */
export const statementCases: readonly ContractCase[] = [
  ...partiqlSelectCases,
  ...partiqlWriteCases,
  ...partiqlReadCases,
  ...partiqlRefusalCases,
  ...partiqlLiteralCases,
  ...partiqlBatchCases,
  ...partiqlTransactionCases,
]

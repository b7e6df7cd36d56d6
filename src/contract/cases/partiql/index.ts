import type { ContractCase } from '../../contract-case.js'
import { partiqlBatchCases } from './batches.js'
import { partiqlErrorCases } from './errors.js'
import { partiqlLiteralCases } from './literals.js'
import { partiqlReadCases } from './paging-and-indexes.js'
import { partiqlSelectCases } from './select.js'
import { partiqlTransactionCases } from './transactions.js'
import { partiqlWriteCases } from './writes.js'

/** Every case of PartiQL statements. */
export const statementCases: readonly ContractCase[] = [
  ...partiqlSelectCases,
  ...partiqlWriteCases,
  ...partiqlReadCases,
  ...partiqlErrorCases,
  ...partiqlLiteralCases,
  ...partiqlBatchCases,
  ...partiqlTransactionCases,
]

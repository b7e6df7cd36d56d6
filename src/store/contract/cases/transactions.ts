import type { ContractCase } from '../case.js'
import { transactCancellationCases } from './transact-cancellation.js'
import { transactCapacityCases } from './transact-capacity.js'
import { transactGetCases } from './transact-get.js'
import { transactOrderCases } from './transact-order.js'
import { transactRefusalCases } from './transact-refusals.js'
import { transactTokenCases } from './transact-token.js'
import { transactWriteCases } from './transact-write.js'

export const transactionCases: readonly ContractCase[] = [
  ...transactGetCases,
  ...transactWriteCases,
  ...transactRefusalCases,
  ...transactOrderCases,
  ...transactCancellationCases,
  ...transactTokenCases,
  ...transactCapacityCases,
]

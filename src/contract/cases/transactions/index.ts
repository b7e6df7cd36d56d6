import type { ContractCase } from '../../contract-case.js'
import { transactCancellationCases } from './cancellation.js'
import { transactCapacityCases } from './capacity.js'
import { transactErrorCases } from './errors.js'
import { transactTokenCases } from './request-token.js'
import { transactGetCases } from './transact-get.js'
import { transactWriteCases } from './transact-write.js'
import { transactOrderCases } from './validation-order.js'

export const transactionCases: readonly ContractCase[] = [
  ...transactGetCases,
  ...transactWriteCases,
  ...transactErrorCases,
  ...transactOrderCases,
  ...transactCancellationCases,
  ...transactTokenCases,
  ...transactCapacityCases,
]

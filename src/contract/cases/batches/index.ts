import type { ContractCase } from '../../contract-case.js'
import { batchGetCases } from './batch-get.js'
import { batchGetErrorCases } from './batch-get-errors.js'
import { batchWriteCases } from './batch-write.js'
import { batchWriteErrorCases } from './batch-write-errors.js'

export const batchCases: readonly ContractCase[] = [
  ...batchGetCases,
  ...batchGetErrorCases,
  ...batchWriteCases,
  ...batchWriteErrorCases,
]

import type { ContractCase } from '../case.js'
import { batchGetCases } from './batch-get.js'
import { batchGetRefusalCases } from './batch-get-refusals.js'
import { batchWriteCases } from './batch-write.js'
import { batchWriteRefusalCases } from './batch-write-refusals.js'

export const batchCases: readonly ContractCase[] = [
  ...batchGetCases,
  ...batchGetRefusalCases,
  ...batchWriteCases,
  ...batchWriteRefusalCases,
]

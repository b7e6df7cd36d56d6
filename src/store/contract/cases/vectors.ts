import type { ContractCase } from '../case.js'
import { searchVectorsCases } from './search-vectors.js'
import { updateTableVectorCases } from './update-table-vectors.js'
import { vectorReadCases, vectorWriteCases } from './vector-writes.js'

export const vectorCases: readonly ContractCase[] = [
  ...searchVectorsCases,
  ...vectorWriteCases,
  ...vectorReadCases,
  ...updateTableVectorCases,
]

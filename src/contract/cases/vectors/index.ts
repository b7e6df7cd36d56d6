import type { ContractCase } from '../../contract-case.js'
import { vectorReadCases, vectorWriteCases } from './item-writes.js'
import { searchVectorsCases } from './search.js'
import { updateTableVectorCases } from './update-table.js'

export const vectorCases: readonly ContractCase[] = [
  ...searchVectorsCases,
  ...vectorWriteCases,
  ...vectorReadCases,
  ...updateTableVectorCases,
]

import type { ContractCase } from '../../contract-case.js'
import { attributesToGetCases } from './attributes-to-get.js'
import { legacyConditionCases } from './conditions.js'
import { legacyReadCases } from './reads.js'
import { legacyUpdateCases } from './updates.js'

/** Every case of legacy parameters. */
export const legacyCases: readonly ContractCase[] = [
  ...legacyConditionCases,
  ...legacyUpdateCases,
  ...legacyReadCases,
  ...attributesToGetCases,
]

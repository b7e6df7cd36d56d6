import type { ContractCase } from '../../contract-case.js'
import { legacyConditionCases } from './conditions.js'
import { legacyReadCases } from './reads.js'
import { legacyUpdateCases } from './updates.js'

/** The parameters from before expressions. */
export const legacyCases: readonly ContractCase[] = [...legacyConditionCases, ...legacyUpdateCases, ...legacyReadCases]

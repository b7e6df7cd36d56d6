import type { ContractCase } from '../case.js'
import { legacyConditionCases } from './legacy-conditions.js'
import { legacyReadCases } from './legacy-reads.js'
import { legacyUpdateCases } from './legacy-updates.js'

/** The parameters from before expressions. */
export const legacyCases: readonly ContractCase[] = [...legacyConditionCases, ...legacyUpdateCases, ...legacyReadCases]

import { formatValue } from '../../schema/checks/assertions.js'
import type { Budget } from '../../traverse/traversal.js'
import { assertArgument, assertInteger } from '../arguments.js'

/** The units of the smallest read. */
const LEAST_UNITS = 0.5

/** Throws if a limit of a budget is not a number that a traversal can keep. */
export function assertBudget({ units, ...counts }: Partial<Budget>): void {
  for (const [name, value] of Object.entries(counts)) if (value !== undefined) assertInteger(value, name)
  assertArgument(
    units === undefined || (typeof units === 'number' && units >= LEAST_UNITS),
    `units: ${formatValue(units)} is out of range; give a number from ${LEAST_UNITS}.`,
  )
}

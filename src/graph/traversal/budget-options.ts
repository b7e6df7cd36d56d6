import { formatValue, isPositiveInteger } from '../../schema/checks/assertions.js'
import type { Budget } from '../../traverse/traversal.js'
import { assertArgument } from '../arguments.js'

/** The units of the smallest read. */
const LEAST_UNITS = 0.5

/** Throws if a limit of a budget is not a number that a traversal can keep. */
export function assertBudget({ units, ...counts }: Partial<Budget>): void {
  for (const [name, value] of Object.entries(counts))
    assertArgument(
      value === undefined || isPositiveInteger(value),
      `${name} is a whole number from 1, instead of ${formatValue(value)}`,
    )
  assertArgument(
    units === undefined || (typeof units === 'number' && units >= LEAST_UNITS),
    `units is a number from ${LEAST_UNITS}, instead of ${formatValue(units)}`,
  )
}

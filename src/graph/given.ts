import { GraphError } from '../schema/error.js'

/** Refuses what a compiler would have refused; `what` says what to give. */
export function given(holds: boolean, what: string): void {
  if (!holds) throw new GraphError('call.given', what)
}

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it is left out, or a number that is not less. */
export const isFrom = (value: unknown, least: number): boolean =>
  value === undefined || (typeof value === 'number' && value >= least)

import { READ_UNIT_BYTES, WRITE_UNIT_BYTES } from './limits.js'

export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

const UNITS_OF: Record<ReadConsistency, number> = { eventual: 0.5, strong: 1, transactional: 2 }

/** Units for reading so many bytes at once; a miss still costs the smallest read. */
export function readUnits(bytes: number, consistency: ReadConsistency): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * UNITS_OF[consistency]
}

/** Units for writing one item or index entry; a write of nothing costs the smallest write. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
}

/** Transactions prepare and commit: twice the units on the table. Indexes pay single. */
export const TRANSACT_WRITE_FACTOR = 2

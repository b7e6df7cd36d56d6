import { READ_UNIT_BYTES, VECTOR_REQUEST_BYTES, WRITE_UNIT_BYTES } from './limits.js'

export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

const UNITS_BY_CONSISTENCY: Record<ReadConsistency, number> = { eventual: 0.5, strong: 1, transactional: 2 }

/** Units for reading so many bytes at once; a miss still costs the smallest read. */
export function countReadUnits(bytes: number, consistency: ReadConsistency): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * UNITS_BY_CONSISTENCY[consistency]
}

/** Units for writing one item or index entry; a write of nothing costs the smallest write. */
export function countWriteUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
}

/** What a number of a vector takes in an index and in what is billed, whatever it is. */
export const VECTOR_ELEMENT_BYTES = 4

/** What is billed for writing one entry of a vector index. */
export function countVectorWriteBytes(bytes: number): number {
  return Math.max(VECTOR_REQUEST_BYTES, bytes)
}

/**
 * What is billed for a search, as far as it follows from what is asked and answered: the service's figure is not the
 * same from one search to the next. It grows with the dimensions, not with what the index holds, and with the items
 * that are answered, before any projection.
 */
export function countVectorSearchBytes(dimensions: number, resultBytes: number): number {
  return Math.max(VECTOR_REQUEST_BYTES, Math.round(SEARCH_BYTES_PER_DIMENSION * dimensions) + resultBytes)
}

const SEARCH_BYTES_PER_DIMENSION = 17.6

/** Transactions prepare and commit: twice the units on the table. Indexes pay single. */
export const TRANSACT_WRITE_FACTOR = 2

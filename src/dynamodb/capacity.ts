import { READ_UNIT_BYTES, VECTOR_REQUEST_BYTES, WRITE_UNIT_BYTES } from './limits.js'

export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

const UNITS_BY_CONSISTENCY: Record<ReadConsistency, number> = { eventual: 0.5, strong: 1, transactional: 2 }

/** The units of a read of this many bytes; a read that finds nothing still costs the smallest read. */
export function countReadUnits(bytes: number, consistency: ReadConsistency): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * UNITS_BY_CONSISTENCY[consistency]
}

/** The units of a write of one item or index entry; a write that changes nothing costs the smallest write. */
export function countWriteUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
}

/** The bytes that a number of a vector takes in an index and in billing, independent of its value. */
export const VECTOR_ELEMENT_BYTES = 4

/** The bytes billed for writing one entry of a vector index. */
export function countVectorWriteBytes(bytes: number): number {
  return Math.max(VECTOR_REQUEST_BYTES, bytes)
}

/**
 * An estimate of the bytes billed for a search, from the request and the response: the service reports different
 * figures for equal searches. The bytes grow with the dimensions and with the returned items before projection, not
 * with the size of the index.
 */
export function countVectorSearchBytes(dimensions: number, resultBytes: number): number {
  return Math.max(VECTOR_REQUEST_BYTES, Math.round(SEARCH_BYTES_PER_DIMENSION * dimensions) + resultBytes)
}

const SEARCH_BYTES_PER_DIMENSION = 17.6

/** Transactions prepare and commit, so the table pays twice the units. Indexes pay once. */
export const TRANSACT_WRITE_FACTOR = 2

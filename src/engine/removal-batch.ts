/**
 * The maximum number of expired items or records that are removed at a time. Other requests wait during the removal.
 */
export const REMOVAL_BATCH_SIZE = 10_000

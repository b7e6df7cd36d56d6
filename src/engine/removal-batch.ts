/** How many things whose time is over are removed in one go, and the rest later: nobody else is served meanwhile. */
export const REMOVAL_BATCH_SIZE = 10_000

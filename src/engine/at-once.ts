/** How many things whose time is over are removed in one go, and the rest later: nobody else is served meanwhile. */
export const REMOVED_AT_ONCE = 10_000

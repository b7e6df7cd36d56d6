/** Stored names of attributes do not begin with `$`. */
const PREFIX = '$summary.'

/** The name of the hidden attribute next to a summary, with the time of its computation and the moment of its data. */
export const stampName = (storedName: string): string => PREFIX + storedName

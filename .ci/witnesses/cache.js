import { fileURLToPath } from 'node:url'

/** Where witnesses are kept from run to run. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

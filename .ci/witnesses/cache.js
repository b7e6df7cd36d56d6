import { fileURLToPath } from 'node:url'

/** The folder that caches witnesses between runs. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

import { isSlow, suiteOf } from './vitest.config.js'

/** The exhaustive tests, which `npm test` leaves out. */
export default suiteOf(isSlow)

import { defineConfig } from 'vitest/config'

/** The checks of the exports by others' validators, which have to be installed and so are no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/table/*.long.ts'],
    testTimeout: 120_000,
    // CommonJS dependencies are imported as Node imports them, not as a bundler would.
    deps: { interopDefault: false },
  },
})

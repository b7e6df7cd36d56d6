import { defineConfig } from 'vitest/config'

/** The checks of the exports by external validators. They need extra packages and are not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/table/*.long.ts'],
    testTimeout: 120_000,
    // CommonJS dependencies are imported by Node and not by a bundler.
    deps: { interopDefault: false },
  },
})

import { defineConfig } from 'vitest/config'

/** The test of `npm test` with more kills: CRASHES sets their number, 100 by default. */
export default defineConfig({
  test: { include: ['test/crash/*.long.ts'], testTimeout: 3_600_000, deps: { interopDefault: false } },
})

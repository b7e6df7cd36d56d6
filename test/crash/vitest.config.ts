import { defineConfig } from 'vitest/config'

/** The same as in `npm test`, killed more often: CRASHES says how often, 100 times unless said. */
export default defineConfig({
  test: { include: ['test/crash/*.long.ts'], testTimeout: 3_600_000, deps: { interopDefault: false } },
})

import { defineConfig } from 'vitest/config'

/** The endpoint against the pages of a real browser, which has to be installed. */
export default defineConfig({
  test: { include: ['test/http/*.long.ts'], testTimeout: 60_000, deps: { interopDefault: false } },
})

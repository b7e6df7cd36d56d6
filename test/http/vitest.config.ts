import { defineConfig } from 'vitest/config'

/** Runs the endpoint against pages in a real browser, which must be installed. */
export default defineConfig({
  test: { include: ['test/http/*.long.ts'], testTimeout: 60_000, deps: { interopDefault: false } },
})

import { defineConfig } from 'vitest/config'

/** Installs the packed package into an empty folder and uses it there, on every supported version of Node. */
export default defineConfig({
  test: {
    include: ['test/cli/*.long.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    deps: { interopDefault: false },
  },
})

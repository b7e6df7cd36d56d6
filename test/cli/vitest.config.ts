import { defineConfig } from 'vitest/config'

/** The package as it is published, installed into an empty folder and used there, by every Node that it is for. */
export default defineConfig({
  test: {
    include: ['test/cli/*.long.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    deps: { interopDefault: false },
  },
})

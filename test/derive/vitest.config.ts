import { defineConfig } from 'vitest/config'

/** Every guard of derived data, turned off: the simulator must find what goes wrong. */
export default defineConfig({
  test: { include: ['test/derive/*.long.ts'], testTimeout: 3_600_000, deps: { interopDefault: false } },
})

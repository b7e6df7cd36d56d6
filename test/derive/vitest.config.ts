import { defineConfig } from 'vitest/config'

/** Disables every guard of derived data in turn: the simulator must find the resulting fault. */
export default defineConfig({
  test: { include: ['test/derive/*.long.ts'], testTimeout: 3_600_000, deps: { interopDefault: false } },
})

import { defineConfig } from 'vitest/config'

/** Compares the built-in algorithms with python-igraph. It requires Python packages, so `npm test` does not include it. */
export default defineConfig({ test: { include: ['test/batch/*.long.ts'], testTimeout: 1_200_000 } })

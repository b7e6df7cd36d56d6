import { defineConfig } from 'vitest/config'
import base from '../../../vitest.config.js'

/** Runs plans on a local Spark: it needs Java 17 and PySpark, in the folder that PYTHONPATH names. */
export default defineConfig({
  resolve: base.resolve!,
  test: {
    include: ['test/batch/spark/*.long.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    deps: { interopDefault: false },
  },
})

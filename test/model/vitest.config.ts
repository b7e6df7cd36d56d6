import { defineConfig } from 'vitest/config'

/** Compares the model with AWS's own description. It requires botocore, so `npm test` does not include it. */
export default defineConfig({ test: { include: ['test/model/*.long.ts'] } })

import { defineConfig } from 'vitest/config'

/** The check against AWS's own description, which needs botocore and so is no part of `npm test`. */
export default defineConfig({ test: { include: ['test/model/*.long.ts'] } })

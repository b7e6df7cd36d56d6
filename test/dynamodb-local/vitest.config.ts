import { defineConfig, mergeConfig } from 'vitest/config'
import usual from '../../vitest.config.js'

export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['test/dynamodb-local/*.long.ts'] },
})

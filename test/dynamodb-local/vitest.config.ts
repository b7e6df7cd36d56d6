import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.js'
import { count } from '../witnesses/count.js'

/** The same tests on AWS's own DynamoDB Local, which has to be fetched and so is no part of `npm test`. */
export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['test/dynamodb-local/*.long.ts'], reporters: ['default', count] },
})

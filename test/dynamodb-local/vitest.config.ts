import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.js'
import { count } from '../witnesses/count.js'

const { projects: _, ...test } = usual.test!

/** The same tests on AWS's own DynamoDB Local, which has to be fetched and so is no part of `npm test`. */
export default defineConfig({
  ...usual,
  test: {
    ...test,
    include: ['test/dynamodb-local/*.long.ts'],
    reporters: ['default', count],
  },
})

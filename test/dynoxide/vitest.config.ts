import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.js'
import { count } from '../witnesses/count.js'

const { projects: _, ...test } = usual.test!

/** The contract on dynoxide, which has to be fetched and so is no part of `npm test`. */
export default defineConfig({
  ...usual,
  test: {
    ...test,
    include: ['test/dynoxide/*.long.ts'],
    reporters: ['default', count],
  },
})

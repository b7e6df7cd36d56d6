import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.js'
import { count } from '../witnesses/count.js'

const { projects: _, ...test } = usual.test!

/** Runs the contract on dynoxide. It requires a download, so `npm test` does not include it. */
export default defineConfig({
  ...usual,
  test: {
    ...test,
    include: ['test/dynoxide/*.long.ts'],
    reporters: ['default', count],
  },
})

import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import usual from '../../vitest.config.js'

/** The last line tells the count, for whoever adds up several suites. */
const count: Reporter = {
  onTestRunEnd(modules) {
    const results = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state))
    const failures = results.filter(state => state === 'failed').length + modules.flatMap(each => each.errors()).length
    console.log(`${results.filter(state => state === 'passed').length} passed, ${failures} failed`)
  },
}

/** The same tests on AWS's own DynamoDB Local, which has to be fetched and so is no part of `npm test`. */
export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['test/dynamodb-local/*.long.ts'], reporters: ['default', count] },
})

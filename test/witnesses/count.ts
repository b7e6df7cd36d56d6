import type { Reporter } from 'vitest/node'

/** Prints the number of cases in the last line, so that scripts can add up several suites. */
export const count: Reporter = {
  onTestRunEnd(modules) {
    const results = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state))
    const failures = results.filter(state => state === 'failed').length + modules.flatMap(each => each.errors()).length
    console.log(`${results.filter(state => state === 'passed').length} passed, ${failures} failed`)
  },
}

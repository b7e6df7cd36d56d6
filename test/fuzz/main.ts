import { readOptions } from './options.js'
import { report } from './report.js'
import { run } from './run.js'

const options = readOptions(process.argv.slice(2))
console.log(`fuzz with --seed ${options.seed}`)
let passed = 0
let failed = 0
for (const name of options.against) {
  const startMs = Date.now()
  const done = await run(name, options)
  console.log(`${name}: ${done.calls} calls in ${Math.round((Date.now() - startMs) / 1000)} s`)
  await report(done, options)
  passed += done.passed
  failed += done.failed
}
if (failed > 0 && failed <= options.tolerate) {
  console.log(`${failed} differences, no more than are tolerated: list the fault or fix the engine`)
  failed = 0
}
console.log(`${passed} passed, ${failed} failed`)
// Connections to the witnesses would keep the process alive.
process.exit(failed > 0 ? 1 : 0)

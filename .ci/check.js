// Runs every script of package.json whose name begins with `check:`, in order. Continues after a failure and prints the
// count.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const steps = Object.keys(scripts).filter(name => name.startsWith('check:'))
const failed = steps.filter(step => spawnSync('npm', ['run', step], { stdio: 'inherit' }).status !== 0)

for (const step of failed) console.error(`failed: npm run ${step}`)
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

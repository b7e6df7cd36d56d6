import { parseArgs } from 'node:util'
import { SABOTAGES } from './sabotage.js'
import { simulate } from './simulate.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    writes: { type: 'string', default: '300' },
    trace: { type: 'boolean', default: false },
    without: { type: 'string' },
    until: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const from = Number(values.from)
const seeds = Number(values.seeds)
const begun = performance.now()
const injected: Record<string, number> = {}
let failed = 0
let naiveWrong = 0
let writes = 0
let turns = 0
for (let seed = from; seed < from + seeds; seed++) {
  const sabotage = values.without === undefined ? undefined : SABOTAGES[values.without]
  if (values.without !== undefined && !sabotage) throw new Error(`give one of ${Object.keys(SABOTAGES).join(', ')}`)
  const trace = values.trace ? (line: string) => console.log(line) : undefined
  const outcome = await simulate(seed, {
    writes: Number(values.writes),
    sabotage,
    trace,
    ...(values.profile !== undefined && { profile: Number(values.profile) }),
  })
  for (const [fault, times] of Object.entries(outcome.injected)) injected[fault] = (injected[fault] ?? 0) + times
  writes += outcome.writes
  turns += outcome.turns
  if (!outcome.naiveWasRight) naiveWrong++
  const done = seed - from + 1
  if (done % 100 === 0 && done < seeds) console.error(`${done} of ${seeds} seeds, ${failed} failed`)
  if (outcome.failure !== undefined) {
    failed++
    console.log(`seed ${seed}: ${outcome.failure}\n  again: npm run simulate -- --seeds 1 --from ${seed} --trace`)
    if (values.until) break
  }
}
const seconds = ((performance.now() - begun) / 1000).toFixed(1)
console.log(`${seeds} seeds from ${from} in ${seconds} s: ${writes} writes, ${turns} requests`)
console.log(
  `injected: ${Object.entries(injected)
    .map(([fault, times]) => `${fault} ${times}`)
    .join(', ')}`,
)
console.log(`the documented pattern of adding one for each record was wrong in ${naiveWrong} of ${seeds}`)
console.log(`${seeds - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

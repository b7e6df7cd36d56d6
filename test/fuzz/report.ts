import { type Finding, kindOf } from './findings.js'
import type { Options } from './options.js'
import { renamed } from './rename-tables.js'
import { judge, type Round } from './round.js'
import type { Run } from './run.js'
import { scriptOf } from './script.js'
import { shrunk } from './shrink.js'
import { textOf } from './sides/outcome.js'

/** Shrinking a finding takes some seconds. */
const SHRUNK_FINDINGS = 3
/** With fewer operations, a listed fault may not occur. */
const OPS_FOR_EVERY_FAULT = 20_000
const SHOWN_CHARACTERS = 2_000

/** Reports the findings of a run for the analysis. */
export async function report(run: Run, options: Options): Promise<void> {
  const { witness, findings, faults } = run
  for (const { kind, count, round, seen } of findings.all) {
    console.log(`\n${count} times, first in round ${round}: ${kind}`)
    console.log(`  request: ${shown(JSON.stringify(seen.call.request, asText))}`)
    console.log(`  edgewise: ${shown(textOf(seen.ours))}\n  ${witness.name}: ${shown(textOf(seen.theirs))}`)
    console.log(`  again: npm run fuzz -- --against ${witness.name} --seed ${options.seed} --round ${round}`)
  }
  for (const finding of findings.all.slice(0, SHRUNK_FINDINGS))
    console.log(`\n// ${finding.kind}\n${scriptOf(await smallest(run, finding, options), witness.name)}`)
  if (options.round !== undefined || options.ops < OPS_FOR_EVERY_FAULT) return
  for (const fault of faults)
    if (findings.timesOf(fault) === 0) console.log(`${witness.name} was not seen to do this: ${fault.description}`)
}

const shown = (text: string) => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)
const asText = (_: string, value: unknown) => (value instanceof Uint8Array ? [...value] : value)

function smallest({ witness, faults, roundOf }: Run, { kind, round }: Finding, { words }: Options): Promise<Round> {
  let trials = 0
  return shrunk(roundOf(round), async candidate => {
    const failures = await judge(renamed(candidate, `${trials++}`), witness, { faults, words })
    return failures.find(seen => kindOf(seen) === kind)
  })
}

import { LOCAL_FAULTS } from './faults/dynamodb-local.js'
import { DYNOXIDE_FAULTS } from './faults/dynoxide.js'
import type { Fault } from './faults/fault.js'
import { Findings } from './findings.js'
import type { Options } from './options.js'
import { judge, type Round, randomRound } from './round.js'
import { type Witness, type WitnessName, witness } from './sides/side.js'

/** The number of calls on the same tables, which are then dropped. */
const ROUND_CALLS = 100
/** Rounds have separate tables, and most of the time is spent waiting for the witness. */
const CONCURRENT_ROUNDS = 8
const PROGRESS_MS = 10_000

const ADDRESSES: Record<WitnessName, string> = { 'dynamodb-local': 'DYNAMODB_LOCAL', dynoxide: 'DYNOXIDE' }
const FAULTS: Record<WitnessName, readonly Fault[]> = { 'dynamodb-local': LOCAL_FAULTS, dynoxide: DYNOXIDE_FAULTS }

export interface Run {
  readonly witness: Witness
  readonly faults: readonly Fault[]
  readonly findings: Findings
  readonly calls: number
  readonly passed: number
  readonly failed: number
  roundOf(number: number): Round
}

export async function run(name: WitnessName, options: Options): Promise<Run> {
  const url = process.env[ADDRESSES[name]]
  if (!url) throw new Error(`${ADDRESSES[name]} has no address: run this by \`npm run fuzz\``)
  const side = witness(name, url)
  const faults = FAULTS[name]
  const findings = new Findings()
  const count = options.round === undefined ? Math.ceil(options.ops / ROUND_CALLS) : 1
  // dynoxide does not support keys with several attributes.
  const roundOf = (number: number) => randomRound(options.seed, number, ROUND_CALLS, name !== 'dynoxide')
  let begun = 0
  let passed = 0
  let failed = 0
  const progress = setInterval(() => {
    console.log(`${name}: ${(passed + failed) * ROUND_CALLS} of ${count * ROUND_CALLS} calls, ${failed} rounds differ`)
  }, PROGRESS_MS)
  const worker = async () => {
    while (begun < count) {
      const number = options.round ?? begun
      begun++
      const failures = await judge(roundOf(number), side, { faults, words: options.words }, fault =>
        findings.addExplained(fault),
      )
      for (const seen of failures) findings.add(number, seen)
      if (failures.length > 0) failed++
      else passed++
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT_ROUNDS }, worker))
  } finally {
    clearInterval(progress)
  }
  return { witness: side, faults, findings, calls: count * ROUND_CALLS, passed, failed, roundOf }
}

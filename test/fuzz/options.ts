import { parseArgs } from 'node:util'
import type { WitnessName } from './sides/side.js'

export interface Options {
  readonly ops: number
  readonly seed: number
  readonly against: readonly WitnessName[]
  /** The number of a single round to run, from a report. */
  readonly round: number | undefined
  /** The number of tolerated differences, because a witness may have unknown faults. */
  readonly tolerate: number
  /** Whether errors of the same kind with different messages are reported. */
  readonly words: boolean
}

const USUAL_OPS = 20_000
const SEEDS = 2 ** 31

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      ops: { type: 'string', default: `${USUAL_OPS}` },
      seed: { type: 'string' },
      against: { type: 'string', default: 'dynamodb-local' },
      round: { type: 'string' },
      tolerate: { type: 'string', default: '0' },
      words: { type: 'boolean', default: false },
    },
  })
  return {
    ops: whole('--ops', values.ops),
    seed: values.seed === undefined ? Math.floor(Math.random() * SEEDS) : whole('--seed', values.seed),
    against: witnesses(values.against),
    round: values.round === undefined ? undefined : whole('--round', values.round),
    tolerate: whole('--tolerate', values.tolerate),
    words: values.words,
  }
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  throw new RangeError(`${name} is ${text}: give a whole number from 0`)
}

function witnesses(text: string): WitnessName[] {
  if (text === 'both') return ['dynamodb-local', 'dynoxide']
  if (text === 'dynamodb-local' || text === 'dynoxide') return [text]
  throw new RangeError(`--against is ${text}: give dynamodb-local, dynoxide or both`)
}

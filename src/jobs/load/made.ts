import type { DeclaredType } from '../../layout/slots.js'
import type { Traits } from '../../plan/write-traits.js'
import type { DeclaredAttribute, Surroundings } from '../../schema/declared.js'
import { GraphError } from '../../schema/error.js'

type Row = Readonly<Record<string, unknown>>

/** What a load makes its own values from: kept with its place, so that a row that is read again makes the same. */
export interface LoadSeed {
  readonly startedMs: number
  /** As many as a ULID has digits of chance. */
  readonly chance: readonly number[]
}

const DIGITS = 16
const DIGIT = 32
const CALL_DIGITS = 2

export function newSeed({ now, random }: Surroundings): LoadSeed {
  return { startedMs: now(), chance: Array.from(random(DIGITS), byte => byte % DIGIT) }
}

/**
 * The chance of one row: that of the load, with the numbers of the source, the line and the call added digit by digit,
 * so that no two rows have the same.
 */
function surroundingsOf({ startedMs, chance }: LoadSeed, source: number, line: number): Surroundings {
  let calls = 0
  return {
    now: () => startedMs,
    random(bytes) {
      const digits = [...chance]
      const places = DIGITS - CALL_DIGITS
      let rest = source * 2 ** 32 + line
      for (let at = DIGITS - 1; at >= DIGITS - places; at--) {
        digits[at] = (digits[at]! + (rest % DIGIT)) % DIGIT
        rest = Math.floor(rest / DIGIT)
      }
      digits[0] = (digits[0]! + calls++) % DIGIT
      return Uint8Array.from({ length: bytes }, (_, at) => digits[at % DIGITS]!)
    },
  }
}

/** The row with its defaults, which are the same each time that it is loaded. */
export function withMade(
  { given, identity, type }: Traits,
  row: Row,
  seed: LoadSeed,
  source: number,
  line: number,
): Row {
  // What a validator makes is not given to it again: it makes it when the row is written.
  const isMade = ({ fallback, kind }: DeclaredAttribute) => fallback && kind !== 'validated'
  const missing = given.filter(([name, attribute]) => row[name] === undefined && isMade(attribute))
  if (missing.length === 0) return row
  const make = () => {
    const surroundings = surroundingsOf(seed, source, line)
    return missing.map(([name, { fallback }]) => [name, fallback!(surroundings)] as const)
  }
  const made = make()
  if (missing.some(([name]) => identity.includes(name))) checkSame(type, made, make(), identity)
  return { ...row, ...Object.fromEntries(made) }
}

type Made = readonly (readonly [string, unknown])[]

/** An id that comes out otherwise the next time would be another node or edge when a load goes on. */
function checkSame({ name: type }: DeclaredType, made: Made, again: Made, identity: readonly string[]): void {
  for (const [at, [name, value]] of made.entries())
    if (identity.includes(name) && String(again[at]![1]) !== String(value))
      throw new GraphError(
        'load.row',
        `${type}.${name} is missing, and made differently each time: have it in the row`,
        {
          type,
          name,
        },
      )
}

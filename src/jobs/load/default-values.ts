import type { DeclaredType } from '../../layout/slots.js'
import type { TypeTraits } from '../../plan/type-traits.js'
import type { DeclaredAttribute, Environment } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'

type Row = Readonly<Record<string, unknown>>

/**
 * The source of generated values. It is stored in the cursor, so that a row that is read again gets the same values.
 */
export interface LoadSeed {
  readonly startedMs: number
  /** One digit for each random digit of a ULID. */
  readonly randomDigits: readonly number[]
}

const DIGITS = 16
const DIGIT_VALUES = 32
const CALL_DIGITS = 2

export function newSeed({ now, random }: Environment): LoadSeed {
  return { startedMs: now(), randomDigits: Array.from(random(DIGITS), byte => byte % DIGIT_VALUES) }
}

/**
 * Creates the random source of a row: the seed plus the numbers of the source, the line and the call, digit by digit,
 * so that rows differ.
 */
function rowEnvironmentOf({ startedMs, randomDigits }: LoadSeed, source: number, line: number): Environment {
  let calls = 0
  return {
    now: () => startedMs,
    random(bytes) {
      const digits = [...randomDigits]
      const positionDigits = DIGITS - CALL_DIGITS
      let rest = source * 2 ** 32 + line
      for (let index = DIGITS - 1; index >= DIGITS - positionDigits; index--) {
        digits[index] = (digits[index]! + (rest % DIGIT_VALUES)) % DIGIT_VALUES
        rest = Math.floor(rest / DIGIT_VALUES)
      }
      digits[0] = (digits[0]! + calls++) % DIGIT_VALUES
      return Uint8Array.from({ length: bytes }, (_, index) => digits[index % DIGITS]!)
    },
  }
}

/** Adds defaults to a row. They are the same each time the row is loaded. */
export function withDefaults(
  { inputAttributes, identitySlots, type }: TypeTraits,
  row: Row,
  seed: LoadSeed,
  source: number,
  line: number,
): Row {
  // Validated attributes generate their default when the row is written; generating it here would validate it twice.
  const hasGeneratedDefault = ({ fallback, kind }: DeclaredAttribute) => fallback && kind !== 'validated'
  const missing = inputAttributes.filter(
    ([name, attribute]) => row[name] === undefined && hasGeneratedDefault(attribute),
  )
  if (missing.length === 0) return row
  const generate = () => {
    const environment = rowEnvironmentOf(seed, source, line)
    return missing.map(([name, { fallback }]) => [name, fallback!(environment)] as const)
  }
  const generated = generate()
  if (missing.some(([name]) => identitySlots.includes(name)))
    assertRepeatable(type, generated, generate(), identitySlots)
  return { ...row, ...Object.fromEntries(generated) }
}

type GeneratedValues = readonly (readonly [string, unknown])[]

/** Throws if an id has a different default each time: after a restart, the row would become a second node or edge. */
function assertRepeatable(
  { name: type }: DeclaredType,
  generated: GeneratedValues,
  regenerated: GeneratedValues,
  identity: readonly string[],
): void {
  for (const [index, [name, value]] of generated.entries())
    if (identity.includes(name) && String(regenerated[index]![1]) !== String(value))
      throw new GraphError(
        'load.row',
        `${type}.${name}: the value is missing, and its default differs each time; add it to the row.`,
        {
          type,
          name,
        },
      )
}

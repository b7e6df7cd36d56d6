/** Where in the answer to a request a violation is reported. */
interface Manner {
  /**
   * Early ones are reported alone, before the others; late ones only once the rest of the request is right. Of those on a
   * table's name the current validator tells the first, before the others, and the older one takes them for late ones.
   */
  readonly stage?: 'early' | 'late' | 'name'
  /** The only one of the service's two validators that has it; the current one tells of it beside others alone. */
  readonly layer?: 'current' | 'older'
  /** Told without a count of violations. */
  readonly uncounted?: true
  /** The current validator's own: told before all else, by the member as it is spelled, without the value. */
  readonly bare?: true
  /** Named in camel case and without the value, as DynamoDB Streams does it. */
  readonly echoless?: true
  /** What is said of this violation among others, where the service names neither the member nor the value. */
  readonly said?: string
  /** The whole answer, where the service has a sentence of its own. */
  readonly message?: string
  /** The same, where only the current validator has one, and the older tells of it in the common words. */
  readonly sentence?: string
  /** The path that the service names, where it is not the member's own. */
  readonly at?: string
  /** A table may be named by its ARN, to which the rules of a name do not apply. */
  readonly sparesArns?: true
}

export interface Bound extends Manner {
  readonly kind: 'min' | 'max'
  readonly limit: number
  /** A text is measured in characters, where others are in units of UTF-16. */
  readonly inCodePoints?: true
}

export interface Pattern extends Manner {
  readonly kind: 'pattern'
  readonly source: string
  readonly whole: RegExp
}

interface Enumeration extends Manner {
  readonly kind: 'enum'
  readonly values: readonly string[]
}

/** A constraint on every key, or every value, of a map; the service reports it on the map. */
interface Each extends Manner {
  readonly kind: 'keys' | 'values'
  readonly each: readonly (Bound | Pattern)[]
}

export type Constraint = Bound | Pattern | Enumeration | Each

export const min = (limit: number): Bound => ({ kind: 'min', limit })
export const max = (limit: number): Bound => ({ kind: 'max', limit })
export const inCodePoints = (bound: Bound): Bound => ({ ...bound, inCodePoints: true })
/** What the service shows as a pattern is Java's: where it means something else here, `own` says the same. */
export const pattern = (source: string, own = new RegExp(`^${source}$`)): Pattern => ({
  kind: 'pattern',
  source,
  whole: own,
})
export const oneOf = (...values: string[]): Enumeration => ({ kind: 'enum', values })
export const keys = (...each: (Bound | Pattern)[]): Each => ({ kind: 'keys', each })
export const values = (...each: (Bound | Pattern)[]): Each => ({ kind: 'values', each })

export const early = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { stage: 'early' })
export const late = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { stage: 'late' })
export const ofName = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { stage: 'name' })
export const older = (constraint: Constraint) => withManner([constraint], { layer: 'older' })
export const current = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { layer: 'current' })
export const uncounted = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { uncounted: true })
export const bare = <C extends Constraint>(...constraints: C[]) =>
  withManner(constraints, { stage: 'early', bare: true })
export const echoless = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { echoless: true })
export const said = (words: string, constraint: Constraint) => withManner([constraint], { said: words })
export const saying = (message: string, constraint: Constraint) => withManner([constraint], { message })
export const stating = (sentence: string, constraint: Constraint) => withManner([constraint], { sentence })
export const sparingArns = <C extends Constraint>(...constraints: C[]) => withManner(constraints, { sparesArns: true })
export const namedAt = (at: string, constraint: Constraint) => withManner([constraint], { at })

function withManner<C extends Constraint>(constraints: C[], manner: Manner): C[] {
  return constraints.map(constraint => ({ ...constraint, ...manner }))
}

/** Whether a value of the right type keeps a constraint. */
export function keeps(constraint: Constraint, value: unknown): boolean {
  if (constraint.sparesArns && isArn(value as string)) return true
  switch (constraint.kind) {
    case 'min':
      return measure(value, constraint) >= constraint.limit
    case 'max':
      return measure(value, constraint) <= constraint.limit
    case 'pattern':
      return constraint.whole.test(value as string)
    case 'enum':
      return constraint.values.includes(value as string)
    case 'keys':
      return Object.keys(value as object).every(key => isArn(key) || constraint.each.every(one => keeps(one, key)))
    case 'values':
      return Object.values(value as object).every(
        element => element == null || constraint.each.every(one => keeps(one, element)),
      )
  }
}

const isArn = (name: string) => name.startsWith('arn:')

function measure(value: unknown, { inCodePoints, limit }: Bound): number {
  // No text has more characters than units.
  if (typeof value === 'string' && inCodePoints && value.length > limit) return [...value].length
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  // The service reads a decimal as the integer below it.
  if (typeof value === 'number') return Math.floor(value)
  return Object.keys(value as object).length
}

/** Where in the answer to a request a violation is reported. */
interface ViolationReporting {
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
  readonly omitsMemberValue?: true
  /** Named in camel case and without the value, as DynamoDB Streams does it. */
  readonly omitsEcho?: true
  /** What is said of this violation among others, where the service names neither the member nor the value. */
  readonly violationText?: string
  /** The whole answer, where the service has a sentence of its own. */
  readonly message?: string
  /** The same, where only the current validator has one, and the older tells of it in the common words. */
  readonly currentMessage?: string
  /** The path that the service names, where it is not the member's own. */
  readonly path?: string
  /** A table may be named by its ARN, to which the rules of a name do not apply. */
  readonly exemptsArns?: true
}

export interface BoundConstraint extends ViolationReporting {
  readonly kind: 'min' | 'max'
  readonly limit: number
  /** A text is measured in characters, where others are in units of UTF-16. */
  readonly inCodePoints?: true
}

export interface PatternConstraint extends ViolationReporting {
  readonly kind: 'pattern'
  readonly source: string
  readonly expression: RegExp
}

interface EnumConstraint extends ViolationReporting {
  readonly kind: 'enum'
  readonly values: readonly string[]
}

/** A constraint on every key, or every value, of a map; the service reports it on the map. */
interface EntryConstraint extends ViolationReporting {
  readonly kind: 'keys' | 'values'
  readonly entryConstraints: readonly (BoundConstraint | PatternConstraint)[]
}

export type Constraint = BoundConstraint | PatternConstraint | EnumConstraint | EntryConstraint

export const min = (limit: number): BoundConstraint => ({ kind: 'min', limit })
export const max = (limit: number): BoundConstraint => ({ kind: 'max', limit })
export const inCodePoints = (bound: BoundConstraint): BoundConstraint => ({ ...bound, inCodePoints: true })
/** What the service shows as a pattern is Java's: where it means something else here, `own` says the same. */
export const pattern = (source: string, expression = new RegExp(`^${source}$`)): PatternConstraint => ({
  kind: 'pattern',
  source,
  expression: expression,
})
export const enumConstraint = (...values: string[]): EnumConstraint => ({ kind: 'enum', values })
export const keys = (...entryConstraints: (BoundConstraint | PatternConstraint)[]): EntryConstraint => ({
  kind: 'keys',
  entryConstraints,
})
export const values = (...entryConstraints: (BoundConstraint | PatternConstraint)[]): EntryConstraint => ({
  kind: 'values',
  entryConstraints,
})

export const checkedEarly = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { stage: 'early' })
export const checkedLate = <C extends Constraint>(...constraints: C[]) => withReporting(constraints, { stage: 'late' })
export const checkedWithName = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { stage: 'name' })
export const byOlderValidator = (constraint: Constraint) => withReporting([constraint], { layer: 'older' })
export const byCurrentValidator = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { layer: 'current' })
export const withoutCount = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { uncounted: true })
export const withoutMemberValue = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { stage: 'early', omitsMemberValue: true })
export const withoutEcho = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { omitsEcho: true })
export const withViolationText = (words: string, constraint: Constraint) =>
  withReporting([constraint], { violationText: words })
export const withMessage = (message: string, constraint: Constraint) => withReporting([constraint], { message })
export const withCurrentMessage = (currentMessage: string, constraint: Constraint) =>
  withReporting([constraint], { currentMessage })
export const exemptingArns = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { exemptsArns: true })
export const withPath = (path: string, constraint: Constraint) => withReporting([constraint], { path })

function withReporting<C extends Constraint>(constraints: C[], reporting: ViolationReporting): C[] {
  return constraints.map(constraint => ({ ...constraint, ...reporting }))
}

/** Whether a value of the right type keeps a constraint. */
export function isSatisfiedBy(constraint: Constraint, value: unknown): boolean {
  if (constraint.exemptsArns && isArn(value as string)) return true
  switch (constraint.kind) {
    case 'min':
      return measure(value, constraint) >= constraint.limit
    case 'max':
      return measure(value, constraint) <= constraint.limit
    case 'pattern':
      return constraint.expression.test(value as string)
    case 'enum':
      return constraint.values.includes(value as string)
    case 'keys':
      return Object.keys(value as object).every(
        key => isArn(key) || constraint.entryConstraints.every(entryConstraint => isSatisfiedBy(entryConstraint, key)),
      )
    case 'values':
      return Object.values(value as object).every(
        element =>
          element == null ||
          constraint.entryConstraints.every(entryConstraint => isSatisfiedBy(entryConstraint, element)),
      )
  }
}

const isArn = (name: string) => name.startsWith('arn:')

function measure(value: unknown, { inCodePoints, limit }: BoundConstraint): number {
  // No text has more characters than units.
  if (typeof value === 'string' && inCodePoints && value.length > limit) return [...value].length
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  // The service reads a decimal as the integer below it.
  if (typeof value === 'number') return Math.floor(value)
  return Object.keys(value as object).length
}

/** The position of a violation in the error response. */
interface ViolationReporting {
  /**
   * Early violations are reported alone and first; late violations only when the rest of the request is valid. The
   * current validator reports the first violation of a table name early, and the older validator reports it late.
   */
  readonly stage?: 'early' | 'late' | 'name'
  /**
   * The only validator of the service's two that has the constraint; the current one reports it only together with
   * others.
   */
  readonly layer?: 'current' | 'older'
  /** Reported without a count of violations. */
  readonly uncounted?: true
  /** Only in the current validator: reported before all others, by the member name as spelled, without the value. */
  readonly omitsMemberValue?: true
  /** Reported in camel case and without the value, as DynamoDB Streams does. */
  readonly omitsEcho?: true
  /** The text of this violation in a list, if the service names neither the member nor the value. */
  readonly violationText?: string
  /** The whole error message, if the service has a dedicated sentence. */
  readonly message?: string
  /** The dedicated sentence of the current validator; the older validator uses the common format. */
  readonly currentMessage?: string
  /** The path that the service reports, if it differs from the member's path. */
  readonly path?: string
  /** A table name may also be an ARN, to which the rules of names do not apply. */
  readonly exemptsArns?: true
}

export interface BoundConstraint extends ViolationReporting {
  readonly kind: 'min' | 'max'
  readonly limit: number
  /** Strings are measured in characters; other lengths are in UTF-16 code units. */
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
export const inCodePoints = (constraint: Constraint): Constraint =>
  'limit' in constraint ? { ...constraint, inCodePoints: true } : constraint
/** The service reports a Java pattern; `expression` is the JavaScript equivalent if the syntax differs. */
export const pattern = (source: string, expression = new RegExp(`^${source}$`)): PatternConstraint => ({
  kind: 'pattern',
  source,
  expression,
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
export const byOlderValidator = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { layer: 'older' })
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
export const withMessage = <C extends Constraint>(message: string, ...constraints: C[]) =>
  withReporting(constraints, { message })
export const withCurrentMessage = (currentMessage: string, constraint: Constraint) =>
  withReporting([constraint], { currentMessage })
export const exemptingArns = <C extends Constraint>(...constraints: C[]) =>
  withReporting(constraints, { exemptsArns: true })
export const withPath = (path: string, constraint: Constraint) => withReporting([constraint], { path })

function withReporting<C extends Constraint>(constraints: C[], reporting: ViolationReporting): C[] {
  return constraints.map(constraint => ({ ...constraint, ...reporting }))
}

/** Returns the constraints of some kinds, ordered by these kinds. */
export const constraintsOf = (constraints: readonly Constraint[], ...kinds: Constraint['kind'][]): Constraint[] =>
  kinds.flatMap(kind => constraints.filter(constraint => constraint.kind === kind))

/** Returns whether a value of the right type satisfies a constraint. */
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
  // A string never has more characters than UTF-16 code units.
  if (typeof value === 'string' && inCodePoints && value.length > limit) return [...value].length
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  // The service rounds a decimal down to an integer.
  if (typeof value === 'number') return Math.floor(value)
  return Object.keys(value as object).length
}

import { type Constraint, isSatisfiedBy, type PatternConstraint } from '../../dynamodb/model/constraints.js'
import type { ListedConstraint } from '../../dynamodb/model/list.js'
import type { ModelShape } from '../../dynamodb/model/shapes.js'

/** Creates a value that violates one constraint on a member and, if possible, no other. */
export function violatingValueOf({ shape, constraint }: ListedConstraint, sample: unknown): unknown {
  return constraint ? constraintBreakerOf(shape, constraint, sample) : wrongTypeValueOf(shape)
}

/** JSON can represent every one of these values, but SDKs do not send them on their own. */
function wrongTypeValueOf(shape: ModelShape): unknown {
  switch (shape.kind) {
    case 'text':
    case 'boolean':
    case 'blob':
      return 23
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
    case 'list':
      return 'text'
    default:
      return []
  }
}

function constraintBreakerOf(shape: ModelShape, constraint: Constraint, sample: unknown): unknown {
  switch (constraint.kind) {
    case 'pattern':
      return againstPattern(shape, constraint)
    case 'enum':
      return 'NONSENSE'
    case 'keys':
      return { 'not a name': Object.values(sample as object)[0] }
    case 'values':
      return Object.fromEntries(Object.keys(sample as object).map(key => [key, []]))
    case 'min':
      return valueOfSize(shape, constraint.limit - 1, sample)
    case 'max':
      return valueOfSize(shape, constraint.limit + 1, sample)
  }
}

/** If possible, a text that keeps the other constraints. */
function againstPattern(shape: ModelShape, pattern: PatternConstraint): string {
  const breaking = ['not a name', 'not \u0007 printable', '$', 'x', 'not'.padEnd(112, 't')].filter(
    text => !isSatisfiedBy(pattern, text),
  )
  const others = shape.constraints.filter(other => other !== pattern)
  return breaking.find(text => others.every(other => isSatisfiedBy(other, text))) ?? breaking[0]!
}

function valueOfSize(shape: ModelShape, size: number, sample: unknown): unknown {
  switch (shape.kind) {
    case 'integer':
    case 'long':
      return size
    case 'list':
      return Array.from({ length: size }, () => (sample as unknown[])[0])
    case 'map':
      return Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`table-${index}`, Object.values(sample as object)[0]]),
      )
    default:
      return longText(size)
  }
}

/** Beyond the length of a name, only an ARN is exempt from the other rules of names. */
function longText(size: number): string {
  return size > 1000 ? 'arn:aws:dynamodb:us-east-1:000000000000:table/'.padEnd(size, 'a') : 'a'.repeat(size)
}

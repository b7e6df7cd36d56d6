import type { Bound, Constraint, Pattern } from './constraints.js'
import { echo } from './echo.js'
import type { Path } from './path.js'
import type { Shape } from './shapes.js'

/** The service lists at most so many violations. */
const VIOLATIONS_LISTED = 10

/** What the service answers to a request that violates its model. */
export function violationsMessage(violations: readonly string[]): string {
  const listed = violations.slice(0, VIOLATIONS_LISTED)
  return `${listed.length} validation error${listed.length === 1 ? '' : 's'} detected: ${listed.join('; ')}`
}

export function missingText(path: Path): string {
  return `Value null at '${path.camelCase}' failed to satisfy constraint: Member must not be null`
}

export function violationText(shape: Shape, constraint: Constraint, value: unknown, path: Path): string {
  if (constraint.said !== undefined) return constraint.said
  const words = constraintWords(shape, constraint)
  if (constraint.bare) return `Value at '${path.asSpelled}' failed to satisfy constraint: ${words}`
  return echoedViolationText(shape, constraint, value, path)
}

/** As the older validator says it, which names the member and repeats the value of every one. */
export function echoedViolationText(shape: Shape, constraint: Constraint, value: unknown, path: Path): string {
  const at = constraint.at ?? path.camelCase
  if (constraint.echoless) return `Value at '${at}' failed to satisfy constraint: ${constraintWords(shape, constraint)}`
  return `Value '${echo(shape, value)}' at '${at}' failed to satisfy constraint: ${constraintWords(shape, constraint)}`
}

function constraintWords(shape: Shape, constraint: Constraint): string {
  switch (constraint.kind) {
    case 'keys':
      return `Map keys must satisfy constraint: [${constraint.each.map(lengthOrPatternWords).join(', ')}]`
    case 'values':
      return `Map value must satisfy constraint: [${constraint.each.map(lengthOrPatternWords).join(', ')}]`
    case 'enum':
      return `Member must satisfy enum value set: [${constraint.values.join(', ')}]`
    case 'pattern':
      return lengthOrPatternWords(constraint)
    default:
      return shape.kind === 'integer' || shape.kind === 'long'
        ? boundWords('value', constraint)
        : lengthOrPatternWords(constraint)
  }
}

function lengthOrPatternWords(constraint: Bound | Pattern): string {
  if (constraint.kind === 'pattern') return `Member must satisfy regular expression pattern: ${constraint.source}`
  return boundWords('length', constraint)
}

function boundWords(what: 'length' | 'value', { kind, limit }: Bound): string {
  return `Member must have ${what} ${kind === 'min' ? 'greater' : 'less'} than or equal to ${limit}`
}

import type { BoundConstraint, Constraint, PatternConstraint } from './constraints.js'
import { formatEcho } from './echo.js'
import type { MemberPath } from './path.js'
import type { ModelShape } from './shapes.js'

/** The maximum number of violations that the service lists. */
const VIOLATIONS_LISTED = 10

/** The service's response to a request that violates its model. */
export function formatViolations(violations: readonly string[]): string {
  const listed = violations.slice(0, VIOLATIONS_LISTED)
  return `${listed.length} validation error${listed.length === 1 ? '' : 's'} detected: ${listed.join('; ')}`
}

export function formatMissingMember(path: MemberPath): string {
  return `Value null at '${path.camelCase}' failed to satisfy constraint: Member must not be null`
}

export function formatViolation(shape: ModelShape, constraint: Constraint, value: unknown, path: MemberPath): string {
  if (constraint.violationText !== undefined) return constraint.violationText
  const words = formatConstraint(shape, constraint)
  if (constraint.omitsMemberValue) return `Value at '${path.asSpelled}' failed to satisfy constraint: ${words}`
  return formatEchoedViolation(shape, constraint, value, path)
}

/** The older validator's wording, which names every member and repeats its value. */
export function formatEchoedViolation(
  shape: ModelShape,
  constraint: Constraint,
  value: unknown,
  path: MemberPath,
): string {
  const at = constraint.path ?? path.camelCase
  if (constraint.omitsEcho)
    return `Value at '${at}' failed to satisfy constraint: ${formatConstraint(shape, constraint)}`
  return `Value '${formatEcho(shape, value)}' at '${at}' failed to satisfy constraint: ${formatConstraint(shape, constraint)}`
}

function formatConstraint(shape: ModelShape, constraint: Constraint): string {
  switch (constraint.kind) {
    case 'keys':
      return `Map keys must satisfy constraint: [${constraint.entryConstraints.map(formatLengthOrPattern).join(', ')}]`
    case 'values':
      return `Map value must satisfy constraint: [${constraint.entryConstraints.map(formatLengthOrPattern).join(', ')}]`
    case 'enum':
      return `Member must satisfy enum value set: [${constraint.values.join(', ')}]`
    case 'pattern':
      return formatLengthOrPattern(constraint)
    default:
      return shape.kind === 'integer' || shape.kind === 'long'
        ? formatBound('value', constraint)
        : formatLengthOrPattern(constraint)
  }
}

function formatLengthOrPattern(constraint: BoundConstraint | PatternConstraint): string {
  if (constraint.kind === 'pattern') return `Member must satisfy regular expression pattern: ${constraint.source}`
  return formatBound('length', constraint)
}

function formatBound(quantity: 'length' | 'value', { kind, limit }: BoundConstraint): string {
  return `Member must have ${quantity} ${kind === 'min' ? 'greater' : 'less'} than or equal to ${limit}`
}

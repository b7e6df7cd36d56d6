import { type Constraint, isSatisfiedBy } from '../../dynamodb/model/constraints.js'
import { MemberPath } from '../../dynamodb/model/path.js'
import type { ModelShape, StructureShape } from '../../dynamodb/model/shapes.js'
import {
  formatEchoedViolation,
  formatMissingMember,
  formatViolation,
  formatViolations,
} from '../../dynamodb/model/wording.js'
import type { ValidatorLayer } from '../values/validator-layer.js'

interface Violation {
  readonly path: MemberPath
  readonly shape: ModelShape
  readonly value: unknown
  /** Undefined for a missing required member. */
  readonly constraint?: Constraint
}

/**
 * Returns the service's message for a request with valid types that violates the model, or undefined if it is valid.
 */
export function findViolationMessage(
  input: StructureShape,
  request: Record<string, unknown>,
  layer: ValidatorLayer = input.validator,
): string | undefined {
  const all = [...memberViolations(input, request, MemberPath.root)]
  const foundMessage = all.map(ownMessageOf).find(message => message !== undefined)
  if (foundMessage !== undefined) return foundMessage
  // Requests with missing members are handled by the older validator, which reports all violations at once.
  const validator = all.some(({ constraint }) => constraint === undefined) ? 'older' : layer
  const violations = all.filter(({ constraint }) => (constraint?.layer ?? validator) === validator)
  if (violations.length === 0) return undefined
  return validator === 'older' ? toOlderMessage(violations) : toCurrentMessage(input, violations)
}

function toOlderMessage(violations: readonly Violation[]): string {
  const main = violations.filter(({ constraint }) => constraint?.stage !== 'late' && constraint?.stage !== 'name')
  return formatViolations((main.length > 0 ? main : violations).map(echoedViolationTextOf))
}

function toCurrentMessage({ reportedAlone }: StructureShape, violations: readonly Violation[]): string | undefined {
  const sentence = violations.map(({ constraint }) => constraint?.currentMessage).find(text => text !== undefined)
  if (sentence !== undefined) return sentence
  // Constraints of one validator are reported only when all others are satisfied.
  if (violations.every(({ constraint }) => constraint?.layer)) return undefined
  const bare = violations.filter(({ constraint }) => constraint?.omitsMemberValue).sort(compareBySpelling)
  if (bare.length > 0) return formatViolations(bare.map(violationTextOf))
  const first = filterByStage(violations, 'early')
  if (first.length > 0) return formatViolations(first.map(violationTextOf))
  for (const name of reportedAlone) {
    const own = violations.filter(({ path }) => path.asSpelled === name)
    if (own[0]?.constraint?.uncounted) return violationTextOf(own[0])
    // A message about a single member lists its constraints in reverse order.
    if (own.length > 0) return formatViolations(own.map(violationTextOf).reverse())
  }
  const main = [...filterByStage(violations, 'name').slice(0, 1), ...filterByStage(violations, undefined)].filter(
    isFirst,
  )
  return formatViolations((main.length > 0 ? main : violations).map(violationTextOf))
}

const filterByStage = (violations: readonly Violation[], stage: NonNullable<Violation['constraint']>['stage']) =>
  violations.filter(({ constraint }) => constraint?.stage === stage)

/** Constraints of one validator are not reported next to other violations of the same member. */
const isFirst = ({ constraint, path }: Violation, index: number, all: readonly Violation[]) =>
  !constraint?.layer || all.findIndex(other => other.path.asSpelled === path.asSpelled) === index

function ownMessageOf({ shape, constraint }: Violation): string | undefined {
  return constraint ? constraint.message : shape.missingMessage
}

const compareBySpelling = (a: Violation, b: Violation) => (a.path.asSpelled < b.path.asSpelled ? -1 : 1)

const violationTextOf = ({ shape, constraint, value, path }: Violation) =>
  constraint ? formatViolation(shape, constraint, value, path) : formatMissingMember(path)

const echoedViolationTextOf = ({ shape, constraint, value, path }: Violation) =>
  constraint ? formatEchoedViolation(shape, constraint, value, path) : formatMissingMember(path)

function* memberViolations(
  shape: StructureShape,
  values: Record<string, unknown>,
  path: MemberPath,
): Generator<Violation> {
  for (const name of shape.order) {
    const member = shape.members[name]!
    const value = values[name]
    if (value !== undefined && value !== null) yield* valueViolations(member, value, path.member(name))
    else if (member.required) yield { path: path.member(name), shape: member, value }
  }
}

function* valueViolations(shape: ModelShape, value: unknown, path: MemberPath): Generator<Violation> {
  for (const constraint of shape.constraints)
    if (!isSatisfiedBy(constraint, value)) yield { path, shape, value, constraint }
  switch (shape.kind) {
    case 'structure':
      yield* memberViolations(shape, value as Record<string, unknown>, path)
      return
    case 'list':
      for (const [index, element] of (value as unknown[]).entries())
        yield* valueViolations(shape.element, element, path.element(index))
      return
    case 'map':
      for (const [key, entry] of Object.entries(value as object))
        if (entry !== undefined && entry !== null) yield* valueViolations(shape.value, entry, path.entry(key))
  }
}

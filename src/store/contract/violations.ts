import type { AttributeType } from '../../dynamodb/attribute-value.js'
import { type Constraint, keeps } from '../../dynamodb/model/constraints.js'
import { constraints, ELEMENT, ENTRY, type ListedConstraint } from '../../dynamodb/model/list.js'
import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { Path } from '../../dynamodb/model/path.js'
import { ATTRIBUTE_VALUE_MEMBERS, type Shape } from '../../dynamodb/model/shapes.js'
import { strictFault } from '../../dynamodb/model/strict-reading.js'
import { typeFault } from '../../dynamodb/model/type-wording.js'
import { echoedViolationText, missingText, violationsMessage, violationText } from '../../dynamodb/model/wording.js'
import { SAMPLE_KEY, sample, sampleRequest } from './samples.js'
import { violating } from './violating-values.js'

export interface ModelViolation {
  readonly id: string
  readonly operation: OperationName
  readonly request: Record<string, unknown>
  readonly error: 'SerializationException' | 'ValidationException'
  readonly message: string
}

/** For every constraint of every operation, a request that breaks it and nothing else, and the service's answer. */
export function violations(): ModelViolation[] {
  const samples = new Map(OPERATION_NAMES.map(name => [name, sampleRequest(name)]))
  return constraints().map(listed => violationOf(listed, withInnermost(samples.get(listed.operation)!, listed.steps)))
}

/** An attribute value has one member: where the steps go on into another than the sample's, the sample gets that one. */
function withInnermost(request: Record<string, unknown>, steps: readonly string[]): Record<string, unknown> {
  const inside = steps.findIndex(step => step in ATTRIBUTE_VALUE_MEMBERS)
  if (inside === -1) return request
  const type = steps[inside] as AttributeType
  const value = { [type]: sample(ATTRIBUTE_VALUE_MEMBERS[type]) }
  return replaced(request, steps.slice(0, inside), value) as Record<string, unknown>
}

function violationOf(listed: ListedConstraint, valid: Record<string, unknown>): ModelViolation {
  const { id, operation, steps, kind, shape } = listed
  const value = kind === 'required' ? undefined : violating(listed, valueAt(valid, steps))
  const request = replaced(valid, steps, value) as Record<string, unknown>
  const strict = operation === 'SearchVectors' && strictFault(MODEL[operation], request)
  if (strict) return { id, operation, request, ...strict }
  const error = kind === 'type' ? 'SerializationException' : 'ValidationException'
  return { id, operation, request, error, message: messageOf(listed, shape, value) }
}

function messageOf(
  { operation, kind, steps, position, constraint }: ListedConstraint,
  shape: Shape,
  value: unknown,
): string {
  if (kind === 'type') return typeFault(shape, value, position)!
  const isOlder = MODEL[operation].validator === 'older'
  const own = constraint ? (constraint.message ?? (isOlder ? undefined : constraint.sentence)) : shape.missing
  if (own !== undefined) return own
  const path = steps.reduce(stepInto, Path.root)
  if (constraint?.uncounted) return violationText(shape, constraint, value, path)
  if (!constraint) return violationsMessage([missingText(path)])
  const text = isOlder ? echoedViolationText : violationText
  return violationsMessage(told(shape, constraint, value).map(one => text(shape, one, value, path)))
}

/** An empty text that is too short breaks a pattern that wants a character too, and the service tells of both. */
function told(shape: Shape, constraint: Constraint, value: unknown): readonly Constraint[] {
  return value === '' && !constraint.stage ? shape.constraints.filter(one => !keeps(one, value)) : [constraint]
}

function stepInto(path: Path, step: string): Path {
  if (step === ELEMENT) return path.element(0)
  return step === ENTRY ? path.entry(SAMPLE_KEY) : path.member(step)
}

const keyOf = (step: string) => (step === ELEMENT ? 0 : step === ENTRY ? SAMPLE_KEY : step)

function valueAt(container: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Record<string | number, unknown>)[keyOf(step)], container)
}

/** A copy with another value in one place; without it where the value is undefined. */
function replaced(container: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const key = keyOf(step)
  const old = container as Record<string | number, unknown>
  const inner = rest.length === 0 ? value : replaced(old[key], rest, value)
  if (Array.isArray(container)) return container.with(key as number, inner)
  const { [key]: _, ...others } = old
  return inner === undefined ? others : { ...others, [key]: inner }
}

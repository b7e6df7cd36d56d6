import type { AttributeType } from '../../dynamodb/attribute-value.js'
import { type Constraint, isSatisfiedBy } from '../../dynamodb/model/constraints.js'
import { ELEMENT, ENTRY, type ListedConstraint, listConstraints } from '../../dynamodb/model/list.js'
import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { MemberPath } from '../../dynamodb/model/path.js'
import { ATTRIBUTE_VALUE_MEMBERS, type ModelShape } from '../../dynamodb/model/shapes.js'
import { strictErrorOf } from '../../dynamodb/model/strict-reading.js'
import { typeErrorOf } from '../../dynamodb/model/type-wording.js'
import {
  formatEchoedViolation,
  formatMissingMember,
  formatViolation,
  formatViolations,
} from '../../dynamodb/model/wording.js'
import { SAMPLE_KEY, sampleRequest, sampleValue } from './sample-request.js'
import { violatingValueOf } from './violating-value.js'

export interface ModelViolation {
  readonly id: string
  readonly operation: OperationName
  readonly request: Record<string, unknown>
  readonly error: 'SerializationException' | 'ValidationException'
  readonly message: string
}

/**
 * Lists, for every constraint of every operation, a request that violates only this constraint, with the service's
 * error.
 */
export function listModelViolations(): ModelViolation[] {
  const samples = new Map(OPERATION_NAMES.map(name => [name, sampleRequest(name)]))
  return listConstraints().map(listed =>
    violationOf(listed, withDeepestValue(samples.get(listed.operation)!, listed.steps)),
  )
}

/**
 * An attribute value has one member: if the path leads to a different member than the sample's, the sample gets that
 * member.
 */
function withDeepestValue(request: Record<string, unknown>, steps: readonly string[]): Record<string, unknown> {
  const valueIndex = steps.findIndex(step => step in ATTRIBUTE_VALUE_MEMBERS)
  if (valueIndex === -1) return request
  const type = steps[valueIndex] as AttributeType
  const value = { [type]: sampleValue(ATTRIBUTE_VALUE_MEMBERS[type]) }
  return replaceValue(request, steps.slice(0, valueIndex), value) as Record<string, unknown>
}

function violationOf(listed: ListedConstraint, valid: Record<string, unknown>): ModelViolation {
  const { id, operation, steps, kind, shape } = listed
  const value = kind === 'required' ? undefined : violatingValueOf(listed, valueAt(valid, steps))
  const request = replaceValue(valid, steps, value) as Record<string, unknown>
  const strictError = operation === 'SearchVectors' && strictErrorOf(MODEL[operation], request)
  if (strictError) return { id, operation, request, ...strictError }
  const error = kind === 'type' ? 'SerializationException' : 'ValidationException'
  return { id, operation, request, error, message: messageOf(listed, shape, value) }
}

function messageOf(
  { operation, kind, steps, position, constraint }: ListedConstraint,
  shape: ModelShape,
  value: unknown,
): string {
  if (kind === 'type') return typeErrorOf(shape, value, position)!
  const isOlder = MODEL[operation].validator === 'older'
  const ownMessage = constraint
    ? (constraint.message ?? (isOlder ? undefined : constraint.currentMessage))
    : shape.missingMessage
  if (ownMessage !== undefined) return ownMessage
  const path = steps.reduce(stepInto, MemberPath.root)
  if (constraint?.uncounted) return formatViolation(shape, constraint, value, path)
  if (!constraint) return formatViolations([formatMissingMember(path)])
  const text = isOlder ? formatEchoedViolation : formatViolation
  return formatViolations(violatedConstraints(shape, constraint, value).map(one => text(shape, one, value, path)))
}

/** A string of the wrong length may violate a pattern too, and the service reports both. */
function violatedConstraints(shape: ModelShape, constraint: Constraint, value: unknown): readonly Constraint[] {
  if (typeof value !== 'string' || constraint.stage) return [constraint]
  return shape.constraints.filter(one => one === constraint || !(one.layer || isSatisfiedBy(one, value)))
}

function stepInto(path: MemberPath, step: string): MemberPath {
  if (step === ELEMENT) return path.element(0)
  return step === ENTRY ? path.entry(SAMPLE_KEY) : path.member(step)
}

const keyOf = (step: string) => (step === ELEMENT ? 0 : step === ENTRY ? SAMPLE_KEY : step)

function valueAt(container: unknown, steps: readonly string[]): unknown {
  return steps.reduce((value, step) => (value as Record<string | number, unknown>)[keyOf(step)], container)
}

/** Copies a request with another value at one path, or without the member if the value is undefined. */
function replaceValue(container: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const key = keyOf(step)
  const members = container as Record<string | number, unknown>
  const newValue = rest.length === 0 ? value : replaceValue(members[key], rest, value)
  if (Array.isArray(container)) return container.with(key as number, newValue)
  const { [key]: _, ...others } = members
  return newValue === undefined ? others : { ...others, [key]: newValue }
}

import type { Constraint } from './constraints.js'
import { MODEL, OPERATION_NAMES, type OperationName } from './operations.js'
import type { ModelShape, StructureShape } from './shapes.js'
import { ATTRIBUTE_VALUE_MEMBERS } from './shapes.js'

export type ConstraintKind = 'type' | 'required' | Constraint['kind']

export interface ListedConstraint {
  readonly id: string
  readonly operation: OperationName
  /** The member names joined by dots, with `[]` for the elements of a list and `*` for the values of a map. */
  readonly path: string
  readonly steps: readonly string[]
  readonly kind: ConstraintKind
  readonly shape: ModelShape
  /** Whether the value is a member of a structure, or an element of a list or map. */
  readonly position: 'field' | 'part'
  /** Absent for `type` and `required`. */
  readonly constraint?: Constraint
}

export const ELEMENT = '[]'
export const ENTRY = '*'

/** Every constraint on the requests of every operation. */
export function listConstraints(): ListedConstraint[] {
  return OPERATION_NAMES.flatMap(operation => [...constraintsOfMembers(operation, MODEL[operation], [])])
}

function* constraintsOfMembers(
  operation: OperationName,
  shape: StructureShape,
  steps: string[],
): Generator<ListedConstraint> {
  for (const name of shape.order) yield* constraintsOfShape(operation, shape.members[name]!, [...steps, name], 'field')
}

function* constraintsOfShape(
  operation: OperationName,
  shape: ModelShape,
  steps: string[],
  position: 'field' | 'part',
): Generator<ListedConstraint> {
  const listed = (kind: ConstraintKind, constraint?: Constraint): ListedConstraint => {
    const path = steps.join('.')
    const limit = constraint && 'limit' in constraint ? ` ${constraint.limit}` : ''
    const id = `${operation} ${path} ${kind}${limit}`
    return { id, operation, path, steps, kind, shape, position, ...(constraint ? { constraint } : {}) }
  }
  yield listed('type')
  if (shape.required) yield listed('required')
  // Constraints that only one validator has are not reported alone.
  for (const constraint of shape.constraints) if (!constraint.layer) yield listed(constraint.kind, constraint)
  if (shape.kind === 'list') yield* constraintsOfShape(operation, shape.element, [...steps, ELEMENT], 'part')
  if (shape.kind === 'map') yield* constraintsOfShape(operation, shape.value, [...steps, ENTRY], 'part')
  if (shape.kind === 'structure') yield* constraintsOfMembers(operation, shape, steps)
  if (shape.kind === 'attributeValue' && operation === 'PutItem' && steps[0] === 'Item' && steps.length === 2)
    yield* constraintsOfAttributeValue(operation, steps)
}

/** The types within an attribute value are the same everywhere, so they are listed only once. */
function* constraintsOfAttributeValue(operation: OperationName, steps: string[]): Generator<ListedConstraint> {
  for (const [name, shape] of Object.entries(ATTRIBUTE_VALUE_MEMBERS))
    yield* constraintsOfShape(operation, shape, [...steps, name], 'field')
}

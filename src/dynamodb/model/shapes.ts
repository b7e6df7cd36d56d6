import type { AttributeType } from '../attribute-value.js'
import type { Constraint } from './constraints.js'

interface ShapeTraits {
  readonly required?: true
  /** The complete message for a missing member, if the service has a dedicated sentence. */
  readonly missingMessage?: string
  readonly constraints: readonly Constraint[]
}

export interface ScalarShape extends ShapeTraits {
  /** A timestamp is a date, or the seconds since 1970, as in JSON requests. */
  readonly kind: 'text' | 'integer' | 'long' | 'double' | 'timestamp' | 'boolean' | 'blob'
}

export interface AttributeValueShape extends ShapeTraits {
  readonly kind: 'attributeValue'
}

export interface ListShape extends ShapeTraits {
  readonly kind: 'list'
  readonly element: ModelShape
}

export interface MapShape extends ShapeTraits {
  readonly kind: 'map'
  readonly value: ModelShape
  /** The notation in which the service repeats the map in an error message. */
  readonly notation: 'java' | 'json'
}

export interface StructureShape extends ShapeTraits {
  readonly kind: 'structure'
  readonly name: string
  /** The order of the API documentation. */
  readonly members: Readonly<Record<string, ModelShape>>
  /** The members in the order in which the service reports them. */
  readonly order: readonly string[]
  /** Members that the current validator reports one at a time, in this order, before others. */
  readonly reportedAlone: readonly string[]
  /** Members that the service shows when it repeats the structure, but that no request can contain. */
  readonly hidden: readonly string[]
  /** The validator that checks the request, if the whole request has the form that it expects. */
  readonly validator: 'current' | 'older'
}

export type ModelShape = ScalarShape | AttributeValueShape | ListShape | MapShape | StructureShape

type Constraints = (Constraint | Constraint[])[]

export const textShape = (...constraints: Constraints): ScalarShape => ({
  kind: 'text',
  constraints: constraints.flat(),
})
export const booleanShape: ScalarShape = { kind: 'boolean', constraints: [] }
const blobShape: ScalarShape = { kind: 'blob', constraints: [] }
export const attributeValueShape: AttributeValueShape = { kind: 'attributeValue', constraints: [] }

export const listShape = (element: ModelShape, ...constraints: Constraints): ListShape => ({
  kind: 'list',
  element,
  constraints: constraints.flat(),
})

export const mapShape = (value: ModelShape, ...constraints: Constraints): MapShape => ({
  kind: 'map',
  value,
  notation: 'java',
  constraints: constraints.flat(),
})

interface StructureOptions {
  readonly first?: readonly string[]
  readonly alone?: readonly string[]
  readonly hidden?: readonly string[]
  readonly validator?: StructureShape['validator']
}

export function structureShape(
  name: string,
  members: Record<string, ModelShape>,
  { first = [], alone: reportedAlone = [], hidden = [], validator = 'current' }: StructureOptions = {},
): StructureShape {
  const order = [...first, ...Object.keys(members).filter(member => !first.includes(member))]
  return { kind: 'structure', name, members, order, reportedAlone, hidden, validator, constraints: [] }
}

export const requiredShape = <S extends ModelShape>(shape: S, missingMessage?: string): S => ({
  ...shape,
  required: true,
  ...(missingMessage === undefined ? {} : { missingMessage }),
})

export const attributeMapShape = mapShape(attributeValueShape)

/** The members of an attribute value; a valid value has exactly one. */
export const ATTRIBUTE_VALUE_MEMBERS: Readonly<Record<AttributeType, ModelShape>> = {
  S: textShape(),
  N: textShape(),
  B: blobShape,
  SS: listShape(textShape()),
  NS: listShape(textShape()),
  BS: listShape(blobShape),
  M: attributeMapShape,
  L: listShape(attributeValueShape),
  NULL: booleanShape,
  BOOL: booleanShape,
}

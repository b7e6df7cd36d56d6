import type { AttributeType } from '../attribute-value.js'
import type { Constraint } from './constraints.js'
import { oneOf } from './constraints.js'

interface Common {
  readonly required?: true
  /** The whole answer where the member is missing, if the service has a sentence of its own for that. */
  readonly missing?: string
  readonly constraints: readonly Constraint[]
}

export interface ScalarShape extends Common {
  readonly kind: 'text' | 'integer' | 'long' | 'double' | 'timestamp' | 'boolean' | 'blob'
}

export interface AttributeValueShape extends Common {
  readonly kind: 'attributeValue'
}

export interface ListShape extends Common {
  readonly kind: 'list'
  readonly element: Shape
}

export interface MapShape extends Common {
  readonly kind: 'map'
  readonly value: Shape
  /** In which notation the service repeats the map when it complains. */
  readonly notation: 'java' | 'json'
}

export interface StructureShape extends Common {
  readonly kind: 'structure'
  readonly name: string
  /** In the order of the API's documentation. */
  readonly members: Readonly<Record<string, Shape>>
  /** The members in the order in which the service reports them. */
  readonly order: readonly string[]
  /** Members that the current validator tells of one at a time, in this order, and before others. */
  readonly alone: readonly string[]
  /** Members that the service shows when it repeats the structure, and that no request can have. */
  readonly hidden: readonly string[]
  /** Which validator checks the request, where the whole request has the form that this validator expects. */
  readonly validator: 'current' | 'older'
}

export type Shape = ScalarShape | AttributeValueShape | ListShape | MapShape | StructureShape

type Constraints = (Constraint | Constraint[])[]

export const text = (...constraints: Constraints): ScalarShape => ({ kind: 'text', constraints: constraints.flat() })
export const enumeration = (...values: string[]): ScalarShape => text(oneOf(...values))
export const integer = (...constraints: Constraints): ScalarShape => ({
  kind: 'integer',
  constraints: constraints.flat(),
})
export const long = (...constraints: Constraints): ScalarShape => ({ kind: 'long', constraints: constraints.flat() })
export const double: ScalarShape = { kind: 'double', constraints: [] }
export const boolean: ScalarShape = { kind: 'boolean', constraints: [] }
/** A date, or the seconds since 1970, as the wire has it. */
export const timestamp: ScalarShape = { kind: 'timestamp', constraints: [] }
const blob: ScalarShape = { kind: 'blob', constraints: [] }
export const attributeValue: AttributeValueShape = { kind: 'attributeValue', constraints: [] }

export const list = (element: Shape, ...constraints: Constraints): ListShape => ({
  kind: 'list',
  element,
  constraints: constraints.flat(),
})

export const map = (value: Shape, ...constraints: Constraints): MapShape => ({
  kind: 'map',
  value,
  notation: 'java',
  constraints: constraints.flat(),
})

interface StructureOptions {
  readonly first?: string[]
  readonly alone?: string[]
  readonly hidden?: string[]
  readonly validator?: StructureShape['validator']
}

export function structure(
  name: string,
  members: Record<string, Shape>,
  { first = [], alone = [], hidden = [], validator = 'current' }: StructureOptions = {},
): StructureShape {
  const order = [...first, ...Object.keys(members).filter(member => !first.includes(member))]
  return { kind: 'structure', name, members, order, alone, hidden, validator, constraints: [] }
}

export const required = <S extends Shape>(shape: S, missing?: string): S => ({
  ...shape,
  required: true,
  ...(missing === undefined ? {} : { missing }),
})

export const attributeMap = map(attributeValue)

/** The members of an attribute value, of which a valid one has exactly one. */
export const ATTRIBUTE_VALUE_MEMBERS: Readonly<Record<AttributeType, Shape>> = {
  S: text(),
  N: text(),
  B: blob,
  SS: list(text()),
  NS: list(text()),
  BS: list(blob),
  M: attributeMap,
  L: list(attributeValue),
  NULL: boolean,
  BOOL: boolean,
}

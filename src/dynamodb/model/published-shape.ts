import type { ScalarShape } from './shapes.js'

interface PublishedBounds {
  readonly min?: number
  readonly max?: number
}

export interface PublishedScalar extends PublishedBounds {
  readonly kind: ScalarShape['kind']
  readonly pattern?: string
  readonly values?: readonly string[]
}

export interface PublishedList extends PublishedBounds {
  readonly element: string
}

export interface PublishedMap extends PublishedBounds {
  readonly key: string
  readonly value: string
}

export interface PublishedStructure {
  /** The shapes by member name, in the order of the API documentation. An `!` marks a required member. */
  readonly members: Readonly<Record<string, string>>
}

/**
 * A shape in AWS's description of DynamoDB. It refers to other shapes by their names. Attribute values, and scalars
 * without constraints, are given by their kinds, and lists without constraints by their elements, such as `Tag[]`.
 */
export type PublishedShape = PublishedScalar | PublishedList | PublishedMap | PublishedStructure

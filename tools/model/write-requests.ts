import type { PublishedScalar, PublishedShape } from '../../src/dynamodb/model/published-shape.js'
import { reachableShapes, type ServiceModel, type ServiceShape } from './service-model.js'

/** Writes the request shapes of operations: what AWS publishes of their members and constraints. */
export function writeRequests(model: ServiceModel, operations: readonly string[]): string {
  const inputs = Object.fromEntries(operations.map(name => [name, inputOf(model, name)]))
  const names = new Set(
    Object.values(inputs).flatMap(input => [...reachableShapes(withoutAttributeValue(model), input)]),
  )
  const named = [...names].filter(name => isNamed(name, model.shapes[name]!)).sort()
  const shapes = Object.fromEntries(named.map(name => [name, publishedShape(model, name)]))
  return `import type { PublishedShape } from '../model/published-shape.js'

/** The shape of each operation's request. */
export interface RequestInputs ${JSON.stringify(inputs)}

/** The published shapes in the requests of all operations, by name. */
export const REQUEST_SHAPES = {
${Object.entries(shapes)
  .map(([name, shape]) => `${name}: ${JSON.stringify(shape)},`)
  .join('\n')}
} as const satisfies Readonly<Record<string, PublishedShape>>
`
}

function inputOf({ operations }: ServiceModel, name: string): string {
  const operation = operations[name]
  if (!operation) throw new Error(`operation '${name}': AWS does not publish it; check the name of its overlay entry`)
  return operation.input!.shape
}

/** The members of attribute values are the same for all operations, and `model/shapes.ts` has them. */
function withoutAttributeValue({ operations, shapes }: ServiceModel): ServiceModel {
  return { operations, shapes: { ...shapes, AttributeValue: { type: 'structure' } } }
}

const SCALARS: Readonly<Record<string, PublishedScalar['kind']>> = {
  string: 'text',
  integer: 'integer',
  long: 'long',
  double: 'double',
  timestamp: 'timestamp',
  boolean: 'boolean',
  blob: 'blob',
}

function publishedShape(model: ServiceModel, name: string): PublishedShape {
  const shape = model.shapes[name]!
  const { min, max, pattern } = shape
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  const referTo = ({ shape: inner }: { readonly shape: string }) => reference(model, inner)
  switch (shape.type) {
    case 'structure': {
      const mark = (member: string) => (shape.required?.includes(member) ? '!' : '')
      const members = Object.entries(shape.members!)
      return { members: Object.fromEntries(members.map(([member, inner]) => [member, referTo(inner) + mark(member)])) }
    }
    case 'list':
      return { element: referTo(shape.member!), ...bounds }
    case 'map':
      return { key: referTo(shape.key!), value: referTo(shape.value!), ...bounds }
    default: {
      const texts = { ...(pattern !== undefined && { pattern }), ...(shape.enum && { values: shape.enum }) }
      return { kind: scalarKind(name, shape), ...bounds, ...texts }
    }
  }
}

/** Scalars and lists without constraints are not worth a name. */
function reference(model: ServiceModel, name: string): string {
  const shape = model.shapes[name]!
  if (isNamed(name, shape)) return name
  if (name === 'AttributeValue') return 'attributeValue'
  return shape.member ? `${reference(model, shape.member.shape)}[]` : scalarKind(name, shape)
}

function isNamed(name: string, { type, min, max, pattern, enum: values }: ServiceShape): boolean {
  if (name === 'AttributeValue') return false
  return type === 'structure' || type === 'map' || [min, max, pattern, values].some(found => found !== undefined)
}

function scalarKind(name: string, { type }: ServiceShape): PublishedScalar['kind'] {
  const kind = SCALARS[type]
  if (!kind) throw new Error(`shape '${name}': type '${type}' is unknown; add it to the generator`)
  return kind
}

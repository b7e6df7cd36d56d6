import type { Shape } from '../../dynamodb/model/shapes.js'

/** A request without its nulls, which stand for members that are not given. Attribute values are left as they are. */
export function withoutNulls(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'structure':
      return kept(value, name => shape.members[name])
    case 'map':
      return shape.value.kind === 'attributeValue' ? value : kept(value, () => shape.value)
    case 'list':
      return (value as unknown[]).map(element => withoutNulls(shape.element, element))
    default:
      return value
  }
}

function kept(value: unknown, shapeOf: (name: string) => Shape | undefined): Record<string, unknown> {
  const given = Object.entries(value as object).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(
    given.map(([name, member]) => {
      const shape = shapeOf(name)
      return [name, shape ? withoutNulls(shape, member) : member]
    }),
  )
}

import { type Constraint, keeps } from '../../dynamodb/model/constraints.js'
import { Path } from '../../dynamodb/model/path.js'
import type { Shape, StructureShape } from '../../dynamodb/model/shapes.js'
import { echoedViolationText, missingText, violationsMessage, violationText } from '../../dynamodb/model/wording.js'
import type { Layer } from '../values/layer.js'

interface Violation {
  readonly path: Path
  readonly shape: Shape
  readonly value: unknown
  /** Absent where a required member is. */
  readonly constraint?: Constraint
}

/** What the service says of a request whose types are right and which violates its model, if it does. */
export function violationMessage(
  input: StructureShape,
  request: Record<string, unknown>,
  layer: Layer = 'current',
): string | undefined {
  const violations = [...ofMembers(input, request, Path.root)]
  if (violations.length === 0) return undefined
  const own = violations.map(ownMessage).find(message => message !== undefined)
  if (own !== undefined) return own
  const stage = (name: 'early' | 'late' | undefined) =>
    violations.filter(({ constraint }) => constraint?.stage === name)
  // A request that lacks something goes to the older validator as well, which checks it not in stages but all at once.
  const older = layer === 'older' || violations.some(({ constraint }) => constraint === undefined)
  const bare = violations.filter(({ constraint }) => constraint?.bare).sort(bySpelling)
  const first = bare.length > 0 ? bare : stage('early')
  if (first.length > 0 && !older) return violationsMessage(first.map(textOf))
  const main = violations.filter(({ constraint }) => constraint?.stage !== 'late')
  return violationsMessage((main.length > 0 ? main : stage('late')).map(older ? echoedTextOf : textOf))
}

function ownMessage({ shape, constraint }: Violation): string | undefined {
  return constraint ? constraint.message : shape.missing
}

const bySpelling = (a: Violation, b: Violation) => (a.path.asSpelled < b.path.asSpelled ? -1 : 1)

const textOf = ({ shape, constraint, value, path }: Violation) =>
  constraint ? violationText(shape, constraint, value, path) : missingText(path)

const echoedTextOf = ({ shape, constraint, value, path }: Violation) =>
  constraint ? echoedViolationText(shape, constraint, value, path) : missingText(path)

function* ofMembers(shape: StructureShape, values: Record<string, unknown>, path: Path): Generator<Violation> {
  for (const name of shape.order) {
    const member = shape.members[name]!
    const value = values[name]
    if (value !== undefined && value !== null) yield* ofValue(member, value, path.member(name))
    else if (member.required) yield { path: path.member(name), shape: member, value }
  }
}

function* ofValue(shape: Shape, value: unknown, path: Path): Generator<Violation> {
  for (const constraint of shape.constraints) if (!keeps(constraint, value)) yield { path, shape, value, constraint }
  switch (shape.kind) {
    case 'structure':
      yield* ofMembers(shape, value as Record<string, unknown>, path)
      return
    case 'list':
      for (const [index, element] of (value as unknown[]).entries())
        yield* ofValue(shape.element, element, path.element(index))
      return
    case 'map':
      for (const [key, entry] of Object.entries(value as object))
        if (entry !== undefined && entry !== null) yield* ofValue(shape.value, entry, path.entry(key))
  }
}

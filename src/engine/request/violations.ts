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
  layer: Layer = input.validator,
): string | undefined {
  const all = [...ofMembers(input, request, Path.root)]
  const own = all.map(ownMessage).find(message => message !== undefined)
  if (own !== undefined) return own
  // A request that lacks something goes to the older validator as well, which checks it not in stages but all at once.
  const validator = all.some(({ constraint }) => constraint === undefined) ? 'older' : layer
  const violations = all.filter(({ constraint }) => (constraint?.layer ?? validator) === validator)
  if (violations.length === 0) return undefined
  return validator === 'older' ? olderMessage(violations) : currentMessage(input, violations)
}

function olderMessage(violations: readonly Violation[]): string {
  const main = violations.filter(({ constraint }) => constraint?.stage !== 'late' && constraint?.stage !== 'name')
  return violationsMessage((main.length > 0 ? main : violations).map(echoedTextOf))
}

function currentMessage({ alone }: StructureShape, violations: readonly Violation[]): string | undefined {
  const sentence = violations.map(({ constraint }) => constraint?.sentence).find(text => text !== undefined)
  if (sentence !== undefined) return sentence
  // What is looked at once more when all else is right is told then.
  if (violations.every(({ constraint }) => constraint?.layer)) return undefined
  const bare = violations.filter(({ constraint }) => constraint?.bare).sort(bySpelling)
  if (bare.length > 0) return violationsMessage(bare.map(textOf))
  const first = staged(violations, 'early')
  if (first.length > 0) return violationsMessage(first.map(textOf))
  for (const name of alone) {
    const own = violations.filter(({ path }) => path.asSpelled === name)
    if (own[0]?.constraint?.uncounted) return textOf(own[0])
    // Whoever tells of one member alone tells the last of its constraints first.
    if (own.length > 0) return violationsMessage(own.map(textOf).reverse())
  }
  const main = [...staged(violations, 'name').slice(0, 1), ...staged(violations, undefined)].filter(isFirst)
  return violationsMessage((main.length > 0 ? main : violations).map(textOf))
}

const staged = (violations: readonly Violation[], stage: NonNullable<Violation['constraint']>['stage']) =>
  violations.filter(({ constraint }) => constraint?.stage === stage)

/** What only this validator has against a member is not told beside what else is wrong with it. */
const isFirst = ({ constraint, path }: Violation, index: number, all: readonly Violation[]) =>
  !constraint?.layer || all.findIndex(other => other.path.asSpelled === path.asSpelled) === index

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

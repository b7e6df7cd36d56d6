import type { Constraint } from '../../src/dynamodb/model/constraints.js'
import { ELEMENT, ENTRY } from '../../src/dynamodb/model/list.js'
import { ATTRIBUTE_VALUE_MEMBERS, type ModelShape } from '../../src/dynamodb/model/shapes.js'
import type { ServiceModel, ServiceShape } from '../../tools/model/service-model.js'

const KINDS: Record<string, string> = { string: 'text', structure: 'structure', blob: 'blob' }

/** Compares the model of an operation's input with the service's description, one line for each difference. */
export function differences(service: ServiceModel, operation: string, ours: ModelShape): string[] {
  const input = service.operations[operation]?.input
  if (!input) return [`${operation}: not in the service's description`]
  return [...new Comparison(service).shapes(ours, input.shape, operation, [])]
}

class Comparison {
  constructor(private readonly service: ServiceModel) {}

  *shapes(ours: ModelShape, name: string, path: string, inherited: readonly Constraint[]): Generator<string> {
    const theirs = this.service.shapes[name]!
    if (kindOf(ours) !== kindOfTheirs(theirs, name)) {
      yield `${path}: ours is ${kindOf(ours)}, theirs ${kindOfTheirs(theirs, name)}`
      return
    }
    yield* different(path, factsOf([...ours.constraints, ...inherited]), factsOfTheirs(theirs))
    switch (ours.kind) {
      case 'structure':
        return yield* this.members(ours.members, theirs, path)
      case 'attributeValue':
        if (!path.includes('AttributeValue')) yield* this.attributeValue(theirs)
        return
      case 'list':
        return yield* this.shapes(ours.element, theirs.member!.shape, `${path}.${ELEMENT}`, [])
      case 'map':
        yield* different(
          `${path} keys`,
          factsOf(eachOf(ours, 'keys')),
          factsOfTheirs(this.service.shapes[theirs.key!.shape]!),
        )
        return yield* this.shapes(ours.value, theirs.value!.shape, `${path}.${ENTRY}`, eachOf(ours, 'values'))
    }
  }

  private *attributeValue(theirs: ServiceShape): Generator<string> {
    yield* different('AttributeValue', Object.keys(ATTRIBUTE_VALUE_MEMBERS), Object.keys(theirs.members ?? {}))
  }

  private *members(ours: Readonly<Record<string, ModelShape>>, theirs: ServiceShape, path: string): Generator<string> {
    yield* different(`${path} members`, Object.keys(ours), Object.keys(theirs.members ?? {}))
    for (const [name, { shape }] of Object.entries(theirs.members ?? {})) {
      const member = ours[name]
      if (!member) continue
      const at = path.includes(' ') ? `${path}.${name}` : `${path} ${name}`
      const required = theirs.required?.includes(name) ?? false
      yield* different(at, member.required ? ['required'] : [], required ? ['required'] : [])
      yield* this.shapes(member, shape, at, [])
    }
  }
}

function* different(path: string, ours: string[], theirs: string[]): Generator<string> {
  for (const fact of ours) if (!theirs.includes(fact)) yield `${path}: only ours has ${fact}`
  for (const fact of theirs) if (!ours.includes(fact)) yield `${path}: only theirs has ${fact}`
}

const kindOf = (shape: ModelShape) => shape.kind

function kindOfTheirs({ type }: ServiceShape, name: string): string {
  return name === 'AttributeValue' ? 'attributeValue' : (KINDS[type] ?? type)
}

function eachOf({ constraints }: ModelShape, kind: 'keys' | 'values'): readonly Constraint[] {
  return constraints.flatMap(constraint =>
    constraint.kind === kind && 'entryConstraints' in constraint ? constraint.entryConstraints : [],
  )
}

function factsOf(constraints: readonly Constraint[]): string[] {
  return constraints.flatMap(constraint => {
    switch (constraint.kind) {
      case 'min':
      case 'max':
        return [`${constraint.kind} ${constraint.limit}`]
      case 'pattern':
        return [`pattern ${constraint.source}`]
      case 'enum':
        return [`enum ${[...constraint.values].sort().join(' ')}`]
      default:
        return []
    }
  })
}

function factsOfTheirs(shape: ServiceShape): string[] {
  return [
    ...(shape.min === undefined ? [] : [`min ${shape.min}`]),
    ...(shape.max === undefined ? [] : [`max ${shape.max}`]),
    ...(shape.pattern === undefined ? [] : [`pattern ${shape.pattern}`]),
    ...(shape.enum === undefined ? [] : [`enum ${[...shape.enum].sort().join(' ')}`]),
  ]
}

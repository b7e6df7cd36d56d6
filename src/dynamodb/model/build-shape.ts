import { REQUEST_SHAPES } from '../generated/request-shapes.js'
import {
  type BoundConstraint,
  type Constraint,
  enumConstraint,
  keys,
  max,
  min,
  type PatternConstraint,
  pattern,
  values,
} from './constraints.js'
import type { MemberCorrection, OperationCorrection, StructureCorrection } from './overlay/correction.js'
import { JAVA_PATTERNS } from './overlay/java-patterns.js'
import { SHAPE_CORRECTIONS } from './overlay/shapes.js'
import type {
  PublishedList,
  PublishedMap,
  PublishedScalar,
  PublishedShape,
  PublishedStructure,
} from './published-shape.js'
import {
  attributeValueShape,
  listShape,
  type ModelShape,
  mapShape,
  requiredShape,
  type ScalarShape,
  type StructureShape,
  structureShape,
} from './shapes.js'

const PUBLISHED: Readonly<Record<string, PublishedShape>> = REQUEST_SHAPES
type Correction = MemberCorrection & StructureCorrection<string>
const CORRECTIONS: Readonly<Record<string, Correction | undefined>> = SHAPE_CORRECTIONS

/** Builds the shape of an operation's request from its published shape and its entry of the overlay. */
export function buildRequestShape(operation: string, correction: OperationCorrection<string>): StructureShape {
  const name = `${operation}Input` in REQUEST_SHAPES ? `${operation}Input` : `${operation}Request`
  return buildStructure(name, PUBLISHED[name] as PublishedStructure, correction)
}

function buildStructure(
  name: string,
  { members }: PublishedStructure,
  { members: corrections = {}, ...options }: OperationCorrection<string>,
): StructureShape {
  const built = Object.entries(members).map(([member, shape]) => [member, buildMember(shape, corrections[member])])
  return structureShape(name, Object.fromEntries(built), options)
}

function buildMember(reference: string, correction: MemberCorrection = {}): ModelShape {
  const isRequired = reference.endsWith('!')
  const shape = withCorrection(shapeOf(isRequired ? reference.slice(0, -1) : reference), correction)
  return (correction.required ?? isRequired) ? requiredShape(shape, correction.missingMessage) : shape
}

function withCorrection(shape: ModelShape, { constraints, notation }: MemberCorrection): ModelShape {
  const corrected = constraints ? { ...shape, constraints: constraints(shape.constraints) } : shape
  return corrected.kind === 'map' && notation ? { ...corrected, notation } : corrected
}

/** Operations share many shapes, so each is built once. */
const BUILT_SHAPES = new Map<string, ModelShape>()

function shapeOf(name: string): ModelShape {
  const built = BUILT_SHAPES.get(name) ?? buildShape(name)
  BUILT_SHAPES.set(name, built)
  return built
}

function buildShape(name: string): ModelShape {
  const published = PUBLISHED[name]
  if (published) return withCorrection(buildPublished(name, published), CORRECTIONS[name] ?? {})
  if (name.endsWith('[]')) return listShape(shapeOf(name.slice(0, -2)))
  return name === 'attributeValue' ? attributeValueShape : { kind: name as ScalarShape['kind'], constraints: [] }
}

function buildPublished(name: string, published: PublishedShape): ModelShape {
  if ('members' in published) return buildStructure(name, published, CORRECTIONS[name] ?? {})
  if ('element' in published) return listShape(shapeOf(published.element), ...publishedConstraints(published))
  if ('value' in published) return buildMap(published)
  return { kind: published.kind, constraints: publishedConstraints(published) }
}

/** The service reports constraints on the keys and values of a map on the map. */
function buildMap(published: PublishedMap): ModelShape {
  const value = shapeOf(published.value)
  const entryConstraints = [
    ...constrainEntries(keys, shapeOf(published.key).constraints),
    ...constrainEntries(values, value.constraints),
  ]
  return mapShape({ ...value, constraints: [] }, ...publishedConstraints(published), ...entryConstraints)
}

function constrainEntries(entries: typeof keys, constraints: readonly Constraint[]): Constraint[] {
  const found = constraints.filter(({ kind }) => kind === 'min' || kind === 'max' || kind === 'pattern')
  return found.length > 0 ? [entries(...(found as (BoundConstraint | PatternConstraint)[]))] : []
}

function publishedConstraints(published: PublishedScalar | PublishedList | PublishedMap): Constraint[] {
  const found: Constraint[] = []
  if (published.min !== undefined) found.push(min(published.min))
  if (published.max !== undefined) found.push(max(published.max))
  if (!('kind' in published)) return found
  if (published.pattern !== undefined) found.push(pattern(published.pattern, JAVA_PATTERNS.get(published.pattern)))
  if (published.values) found.push(enumConstraint(...published.values))
  return found
}

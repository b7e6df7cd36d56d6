import { invalidParameterError } from '../errors.js'
import { newProjection, type ProjectionExpression } from '../expressions/projection.js'
import { checkAttributeName } from '../values/attribute-names.js'

/** Reads a legacy projection: whole attributes by name. */
export function readAttributesToGet(names: readonly string[] | undefined): ProjectionExpression | undefined {
  if (names === undefined) return undefined
  const seen = new Set<string>()
  for (const name of names) {
    checkAttributeName(name)
    if (seen.has(name)) throw invalidParameterError(`Duplicate value in attribute name: ${name}`)
    seen.add(name)
  }
  return newProjection(names.map(name => [name]))
}

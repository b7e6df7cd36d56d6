import { invalidParameter } from '../errors.js'
import { type Projection, projectionOf } from '../expressions/projection.js'
import { checkName } from '../values/names.js'

/** A projection from before expressions: whole attributes, by their names. */
export function readAttributesToGet(names: readonly string[] | undefined): Projection | undefined {
  if (names === undefined) return undefined
  const seen = new Set<string>()
  for (const name of names) {
    checkName(name)
    if (seen.has(name)) throw invalidParameter(`Duplicate value in attribute name: ${name}`)
    seen.add(name)
  }
  return projectionOf(names.map(name => [name]))
}

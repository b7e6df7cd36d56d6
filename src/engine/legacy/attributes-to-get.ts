import { invalidParameter, validation } from '../errors.js'
import { type Projection, projectionOf } from '../expressions/projection.js'

/** A projection from before expressions: whole attributes, by their names. */
export function readAttributesToGet(names: readonly string[] | undefined): Projection | undefined {
  if (names === undefined) return undefined
  const seen = new Set<string>()
  for (const name of names) {
    if (name === '') throw validation('Empty attribute name')
    if (seen.has(name)) throw invalidParameter(`Duplicate value in attribute name: ${name}`)
    seen.add(name)
  }
  return projectionOf(names.map(name => [name]))
}

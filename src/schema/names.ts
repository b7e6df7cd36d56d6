import { GraphError } from './error.js'
import { shown } from './refusal.js'

// Letters of any script; nothing that a key template, an expression or `end.attribute` reads as its own.
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u
// `then` would make a handle a promise; the others are found on every object, or lead to the reads of a handle.
const RESERVED = new Set(['by', 'then', 'constructor', 'prototype', '__proto__'])

/** A name that can stand in keys, templates and paths. `what` says whose it is: "the attribute of movie". */
export function checkName(name: string, what: string): string {
  if (typeof name !== 'string' || (!NAME.test(name) && !name.startsWith('$')))
    throw new GraphError(
      'name.invalid',
      `${what} cannot be named ${shown(name)}: begin with a letter, then letters, digits, _ and -`,
      { name },
    )
  if (RESERVED.has(name) || name.startsWith('$'))
    throw new GraphError('name.reserved', `${what} cannot be named '${name}', which is taken: choose another name`, {
      name,
    })
  return name
}

/** A name in the table: any that DynamoDB takes, but for those that begin as ours do. */
export function storedName(name: string): string {
  if (typeof name !== 'string' || name === '')
    throw new GraphError('name.invalid', 'a stored name is empty: give the name that the attribute has in the table', {
      name,
    })
  if (name.startsWith('$'))
    throw new GraphError(
      'name.reserved',
      `nothing can be stored as '${name}': names that begin with $ are edgewise's own`,
      {
        name,
      },
    )
  return name
}

/** Throws for the first name that comes twice. */
export function checkDistinct(names: readonly string[], what: string): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name))
      throw new GraphError('name.duplicate', `${what} has '${name}' twice: give one another name`, { name })
    seen.add(name)
  }
}

import type { DeclaredAttributes } from './declared.js'
import { GraphError } from './error.js'
import { shown } from './refusal.js'

// Letters of any script; nothing that a key template, an expression or `end.attribute` reads as its own.
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u
// `then` would make a handle a promise; the others are found on every object, or lead to the reads of a handle.
const RESERVED = /^(\$.*|by|then|constructor|prototype|__proto__)$/s
const STORED = /./s
const STORED_RESERVED = /^\$/

/** A name that can stand in keys, templates and paths. `what` says whose it is: "the attribute of movie". */
export function checkName(
  name: string,
  what: string,
  valid = NAME,
  reserved = RESERVED,
  advice = 'begin with a letter, then letters, digits, _ and -',
): string {
  const text = typeof name === 'string' ? name : ''
  const taken = reserved.test(text)
  if (!taken && valid.test(text)) return name
  throw new GraphError(
    taken ? 'name.reserved' : 'name.invalid',
    `${what} cannot be named ${shown(name)}: ${taken ? 'that is taken' : advice}`,
    { name },
  )
}

/** A name in the table: any that DynamoDB takes, but for those that begin as ours do. */
export function storedName(name: string): string {
  return checkName(name, 'what is stored', STORED, STORED_RESERVED)
}

/** Throws for the first name that comes twice. */
export function checkDistinct(names: readonly string[], what: string): void {
  const name = names.find((each, at) => names.indexOf(each) < at)
  if (name !== undefined) throw new GraphError('name.duplicate', `${what} has '${name}' twice: rename one`, { name })
}

/** No two attributes may be stored under one name. */
export function checkStoredNames(attributes: DeclaredAttributes, what: string): void {
  const stored = Object.keys(attributes).map(name => attributes[name]!.storedAs ?? name)
  checkDistinct(stored, `${what}, as stored,`)
}

import type { DeclaredAttributes } from './declared.js'
import { GraphError } from './error.js'
import { shown } from './refusal.js'

// Letters of any script; nothing that a key template, an expression or `end.attribute` reads as its own.
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u
// `then` would make a handle a promise; `by` leads to its reads.
const RESERVED = /^(\$.*|by|then|prototype)$/s
/** Any text but an empty one, and none with half a surrogate pair, which UTF-8 stores as another character. */
const STORED = /^[^\p{Cs}]+$/su
const STORED_RESERVED = /^\$/
const NONE = /^$/

/** A name that can stand in keys, templates and paths. `what` says whose it is: "the attribute of movie". */
export function checkName(
  name: string,
  what: string,
  valid = NAME,
  reserved: RegExp | null = RESERVED,
  advice = 'begin with a letter, then letters, digits, _ and -',
): string {
  const text = typeof name === 'string' ? name : ''
  // What every object has would be taken for a value that is not there.
  const taken = reserved && (reserved.test(text) || text in Object.prototype)
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
  const names = Object.keys(attributes)
  for (const name of names) checkName(name, `a member of ${what}`, STORED, NONE)
  checkDistinct(
    names.map(name => attributes[name]!.storedAs ?? name),
    `${what}, as stored,`,
  )
}

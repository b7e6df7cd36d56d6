import type { DeclaredAttributes } from '../declarations.js'
import { GraphError } from '../error.js'
import { formatValue } from './assertions.js'

// Letters of any script; nothing that a key template, an expression or `end.attribute` reads as its own.
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u
// `then` would make a handle a promise; `by` leads to its reads.
const RESERVED = /^(\$.*|by|then|prototype)$/s
/** Any text but an empty one, and none with half a surrogate pair, which UTF-8 stores as another character. */
const STORED_NAME = /^[^\p{Cs}]+$/su
const RESERVED_STORED_NAME = /^\$/
const NO_NAME = /^$/

/** A name that can stand in keys, templates and paths. `what` says whose it is: "the attribute of movie". */
export function checkIdentifier(
  name: string,
  subject: string,
  validPattern = NAME,
  reservedPattern: RegExp | null = RESERVED,
  advice = 'begin with a letter, then letters, digits, _ and -',
): string {
  const text = typeof name === 'string' ? name : ''
  // What every object has would be taken for a value that is not there.
  const isReserved = reservedPattern && (reservedPattern.test(text) || text in Object.prototype)
  if (!isReserved && validPattern.test(text)) return name
  throw new GraphError(
    isReserved ? 'name.reserved' : 'name.invalid',
    `${subject} cannot be named ${formatValue(name)}: ${isReserved ? 'that is taken' : advice}`,
    { name },
  )
}

/** A name in the table: any that DynamoDB takes, but for those that begin as ours do. */
export function checkStoredName(name: string): string {
  return checkIdentifier(name, 'what is stored', STORED_NAME, RESERVED_STORED_NAME)
}

/** Throws for the first name that comes twice. */
export function checkDistinct(names: readonly string[], subject: string): void {
  const name = names.find((each, at) => names.indexOf(each) < at)
  if (name !== undefined) throw new GraphError('name.duplicate', `${subject} has '${name}' twice: rename one`, { name })
}

/** No two attributes may be stored under one name. */
export function checkStoredNames(attributes: DeclaredAttributes, subject: string): void {
  const names = Object.keys(attributes)
  for (const name of names) checkIdentifier(name, `a member of ${subject}`, STORED_NAME, NO_NAME)
  checkDistinct(
    names.map(name => attributes[name]!.storedAs ?? name),
    `${subject}, as stored,`,
  )
}

import type { DeclaredAttributes } from '../declarations.js'
import { GraphError } from '../error.js'
import { formatValue } from './assertions.js'

// Names begin with a letter of any script. Characters with a meaning in key templates, expressions or `end.attribute`
// are excluded.
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u
// `then` would make a handle thenable, and `by` is the member of a handle with its paths.
const RESERVED = /^(\$.*|by|then|prototype)$/s
/** Any text except an empty one. A lone surrogate is excluded, because UTF-8 would store it as another character. */
const STORED_NAME = /^[^\p{Cs}]+$/su
const RESERVED_STORED_NAME = /^\$/
const NO_NAME = /^$/

/**
 * Returns a name that is valid in keys, templates and paths; throws otherwise. `subject` names its owner: "attribute of
 * movie".
 */
export function checkIdentifier(
  name: string,
  subject: string,
  validPattern = NAME,
  reservedPattern: RegExp | null = RESERVED,
  advice = 'begin with a letter, then use letters, digits, _ and -',
): string {
  const text = typeof name === 'string' ? name : ''
  // A name such as `toString` exists on every object and would look like a value.
  const isReserved = reservedPattern && (reservedPattern.test(text) || text in Object.prototype)
  if (!isReserved && validPattern.test(text)) return name
  throw new GraphError(
    isReserved ? 'name.reserved' : 'name.invalid',
    `${subject}: ${formatValue(name)} is not a valid name${isReserved ? ', because it is reserved; choose another name' : `; ${advice}`}.`,
    { name },
  )
}

/** Returns a valid stored name: any name that DynamoDB accepts, except those that begin with `$`. */
export function checkStoredName(name: string): string {
  return checkIdentifier(name, 'stored attribute', STORED_NAME, RESERVED_STORED_NAME)
}

/** Throws for the first duplicate name. */
export function checkDistinct(names: readonly string[], subject: string): void {
  const name = names.find((candidate, at) => names.indexOf(candidate) < at)
  if (name !== undefined)
    throw new GraphError('name.duplicate', `${subject}: the name '${name}' occurs twice; rename one.`, { name })
}

/** Rejects two attributes with the same stored name. */
export function checkStoredNames(attributes: DeclaredAttributes, subject: string): void {
  const names = Object.keys(attributes)
  for (const name of names) checkIdentifier(name, `member of ${subject}`, STORED_NAME, NO_NAME)
  checkDistinct(
    names.map(name => attributes[name]!.storedAs ?? name),
    `stored attributes of ${subject}`,
  )
}

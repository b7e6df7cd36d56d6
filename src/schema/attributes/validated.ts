import { attribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declared.js'
import { GraphError } from '../error.js'
import type { StandardSchema } from '../standard.js'
import { validate } from '../validate.js'
import { decodeJson, encodeJson } from './json.js'

/** The declaration behind an attribute, or behind a validator that stands for one. */
export function declaredOf(
  schema: StandardSchema & { readonly declared?: DeclaredAttribute },
  what: string,
): DeclaredAttribute {
  if (schema?.declared) return schema.declared
  if (typeof schema?.['~standard']?.validate === 'function') return validated(schema)
  throw new GraphError('attribute.unknown', `${what}: give string(), integer(), … or a Standard Schema validator`)
}

/** A validator whose output, a JSON value, is stored. What it makes of undefined tells whether it is optional or has a default. */
function validated(schema: StandardSchema): DeclaredAttribute {
  const make = () => validate(schema, undefined, 'default')
  let optional = false
  let fallback: typeof make | undefined
  try {
    optional = make() === undefined
    fallback = optional ? undefined : make
  } catch {
    // It wants a value.
  }
  return attribute({
    kind: 'validated',
    optional,
    fallback,
    encode: (value, path) => encodeJson(validate(schema, value, path), path),
    decode: decodeJson,
  }).declared
}

/** What a list, a set or a map is made of: what can be said only of an attribute of a node or an edge is not said of it. */
export function declaredInside(of: StandardSchema, whole: 'list' | 'map' | 'set', member?: string): DeclaredAttribute {
  const isMember = member !== undefined
  const what = `${isMember ? `'${member}'` : 'the element'} of a ${whole}`
  const declared = declaredOf(of, what)
  const { kind, optional, immutable, derived, storedAs, fallback, renewed } = declared
  // A validator that takes undefined is never given one by a list, and a ULID is made only where it is the attribute.
  const asMade = kind === 'validated' || kind === 'ulid'
  const fault =
    (derived && `a ${kind}`) ||
    (renewed?.value && 'computed') ||
    (immutable && !asMade && 'immutable') ||
    (fallback && !asMade && 'given by default') ||
    (!isMember && ((optional && kind !== 'validated' && 'optional') || (storedAs && 'stored by name')))
  if (fault)
    throw new GraphError(
      isMember ? 'attribute.member' : 'attribute.element',
      `${what} cannot be ${fault}: say that of the ${whole}`,
    )
  return declared
}

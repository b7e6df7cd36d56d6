import { createAttribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declarations.js'
import { GraphError } from '../error.js'
import { runValidator } from '../run-validator.js'
import type { StandardSchema } from '../standard-schema.js'
import { decodeJson, encodeJson } from './json.js'

/** The declaration behind an attribute, or behind a validator that stands for one. */
export function declarationOf(
  schema: StandardSchema & { readonly declared?: DeclaredAttribute },
  subject: string,
): DeclaredAttribute {
  if (schema?.declared) return schema.declared
  if (typeof schema?.['~standard']?.validate === 'function') return declareValidator(schema)
  throw new GraphError('attribute.unknown', `${subject}: give string(), integer(), … or a Standard Schema validator`)
}

/** A validator whose output, a JSON value, is stored. What it makes of undefined tells whether it is optional or has a default. */
function declareValidator(schema: StandardSchema): DeclaredAttribute {
  const makeDefault = () => runValidator(schema, undefined, 'default')
  let optional = false
  let fallback: typeof makeDefault | undefined
  try {
    optional = makeDefault() === undefined
    fallback = optional ? undefined : makeDefault
  } catch {
    // It wants a value.
  }
  return createAttribute({
    kind: 'validated',
    optional,
    fallback,
    encode: (value, path) => encodeJson(runValidator(schema, value, path), path),
    decode: decodeJson,
  }).declared
}

/** What a list, a set or a map is made of: what can be said only of an attribute of a node or an edge is not said of it. */
export function elementDeclarationOf(
  schema: StandardSchema,
  container: 'list' | 'map' | 'set',
  member?: string,
): DeclaredAttribute {
  const isMember = member !== undefined
  const subject = `${isMember ? `'${member}'` : 'the element'} of a ${container}`
  const declared = declarationOf(schema, subject)
  const { kind, optional, immutable, derived, storedAs, fallback, recomputation } = declared
  // A validator that takes undefined is never given one by a list, and a ULID is made only where it is the attribute.
  const ignoresModifiers = kind === 'validated' || kind === 'ulid'
  const fault =
    (derived && `a ${kind}`) ||
    (recomputation?.compute && 'computed') ||
    (immutable && !ignoresModifiers && 'immutable') ||
    (fallback && !ignoresModifiers && 'given by default') ||
    (!isMember && ((optional && kind !== 'validated' && 'optional') || (storedAs && 'stored by name')))
  if (fault)
    throw new GraphError(
      isMember ? 'attribute.member' : 'attribute.element',
      `${subject} cannot be ${fault}: say that of the ${container}`,
    )
  return declared
}

import { createAttribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declarations.js'
import { GraphError } from '../error.js'
import { runValidator } from '../run-validator.js'
import type { StandardSchema } from '../standard-schema.js'
import { decodeJson, encodeJson } from './json.js'

/** Returns the declaration of an attribute, or of a validator used as one. */
export function declarationOf(
  schema: StandardSchema & { readonly declared?: DeclaredAttribute },
  subject: string,
): DeclaredAttribute {
  if (schema?.declared) return schema.declared
  if (typeof schema?.['~standard']?.validate === 'function') return declareValidator(schema)
  throw new GraphError(
    'attribute.unknown',
    `${subject}: this is not an attribute; give string(), integer(), … or a Standard Schema validator.`,
  )
}

/**
 * Declares a validator whose output is stored as JSON. Its output for `undefined` shows whether the attribute is
 * optional or has a default.
 */
function declareValidator(schema: StandardSchema): DeclaredAttribute {
  const makeDefault = () => runValidator(schema, undefined, 'default')
  let optional = false
  let fallback: typeof makeDefault | undefined
  try {
    optional = makeDefault() === undefined
    fallback = optional ? undefined : makeDefault
  } catch {
    // A validator that rejects `undefined` is required.
  }
  return createAttribute({
    kind: 'validated',
    optional,
    fallback,
    encode: (value, path) => encodeJson(runValidator(schema, value, path), path),
    decode: decodeJson,
  }).declared
}

/**
 * Returns the declaration of an element of a list or set, or of a member of a map. Throws for modifiers that apply only
 * to attributes of nodes and edges.
 */
export function elementDeclarationOf(
  schema: StandardSchema,
  container: 'list' | 'map' | 'set',
  member?: string,
): DeclaredAttribute {
  const isMember = member !== undefined
  const subject = `${isMember ? `'${member}'` : 'the element'} of a ${container}`
  const declared = declarationOf(schema, subject)
  const { kind, optional, immutable, derived, storedAs, fallback, recomputation } = declared
  // A list never passes `undefined` to a validator, and a ULID is generated only for an attribute of a row.
  const ignoresModifiers = kind === 'validated' || kind === 'ulid'
  const fault =
    (derived && `a ${kind}`) ||
    (recomputation?.compute && 'computed') ||
    (immutable && !ignoresModifiers && 'immutable') ||
    (fallback && !ignoresModifiers && 'filled in by default') ||
    (!isMember && ((optional && kind !== 'validated' && 'optional') || (storedAs && 'stored by name')))
  if (fault)
    throw new GraphError(
      isMember ? 'attribute.member' : 'attribute.element',
      `${subject}: an ${isMember ? 'inner member' : 'element'} cannot be ${fault}; declare that on the ${container}.`,
    )
  return declared
}

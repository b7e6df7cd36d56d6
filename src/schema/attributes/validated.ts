import { attribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declared.js'
import { GraphError } from '../error.js'
import type { StandardResult, StandardSchema } from '../standard.js'
import { validate } from '../validate.js'
import { decodeJson, encodeJson } from './json.js'

/** The declaration behind an attribute, or behind a validator that stands for one. */
export function declaredOf(
  schema: StandardSchema & { readonly declared?: DeclaredAttribute },
  what: string,
): DeclaredAttribute {
  if (schema?.declared) return schema.declared
  if (typeof schema?.['~standard']?.validate === 'function') return validated(schema)
  throw new GraphError(
    'attribute.unknown',
    `${what} is no attribute: give string(), integer(), … or a Standard Schema validator`,
  )
}

/** A validator whose output, a JSON value, is stored. What it makes of undefined tells whether it is optional or has a default. */
function validated(schema: StandardSchema): DeclaredAttribute {
  const missing = answerToMissing(schema)
  return attribute({
    kind: 'validated',
    optional: missing !== undefined && missing.value === undefined,
    fallback: missing?.value === undefined ? undefined : () => validate(schema, undefined, 'default'),
    encode: (value, path) => encodeJson(validate(schema, value, path), path),
    decode: decodeJson,
  }).declared
}

function answerToMissing(schema: StandardSchema): { readonly value: unknown } | undefined {
  let result: StandardResult<unknown> | Promise<StandardResult<unknown>>
  try {
    result = schema['~standard'].validate(undefined)
  } catch {
    // A validator that cannot take undefined wants a value.
    return undefined
  }
  if (result instanceof Promise) {
    result.catch(() => {})
    return undefined
  }
  return result.issues ? undefined : result
}

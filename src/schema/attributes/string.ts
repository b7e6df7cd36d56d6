import { type Attribute, attribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { wrongStored, wrongType } from '../refusal.js'

const LONE_SURROGATE = /\p{Surrogate}/u

export function string(): Attribute<string> {
  return attribute({
    kind: 'string',
    encode: (value, path) => ({ S: checkText(value, path) }),
    decode: storedText,
  })
}

/** A text that survives UTF-8. */
export function checkText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value)
  if (LONE_SURROGATE.test(value))
    throw new GraphError(
      'value.text',
      `${path}: the text has half a surrogate pair, which cannot be stored: mend the text`,
      {
        path,
        value,
      },
    )
  return value
}

export function storedText(value: { readonly S?: string | undefined }, path = 'value'): string {
  if (value.S === undefined) throw wrongStored(path, 'a string', value as never)
  return value.S
}

import type { Code } from '../../schema/codes.js'
import { GraphError } from '../../schema/error.js'
import type { KeyDetails } from '../../schema/error-details.js'

/** The codes of errors about one template. */
type KeyCode = Exclude<
  Extract<Code, `key.${string}`>,
  `key.${'ambiguous' | 'collision' | 'identity' | 'mixed' | 'order'}`
>

/** The owner of a template: a type of node or edge, and a key attribute of the table or of an index. */
export interface KeyOwner {
  readonly type: string
  readonly attribute: string
}

/** The part of a template that its errors show. */
export interface NamedTemplate {
  readonly source: string
  readonly owner?: KeyOwner | undefined
}

/** The fault of a key and the advice. Both are parts of a sentence. */
interface KeyFault {
  readonly wrong: string
  readonly advice: string
  /** The slot at fault, if it is known. */
  readonly slot?: string | undefined
  /** Further members of the error's details. */
  readonly details?: Pick<KeyDetails, 'value' | 'sizeBytes' | 'maxBytes'>
}

/** Creates an error about a template, or about one of its slots. */
export function createTemplateError(
  code: KeyCode,
  { source: template, owner }: NamedTemplate,
  { wrong, advice, slot, details }: KeyFault,
): GraphError<KeyCode> {
  const key = `the key '${template}'`
  const message = owner
    ? `${slot === undefined ? owner.type : `${owner.type}.${slot}`}: ${key} in '${owner.attribute}' ${wrong}; ${advice}.`
    : `${key.slice(4)}: it ${wrong}; ${advice}.`
  const subject = owner && {
    type: owner.type,
    attribute: owner.attribute,
    ...(slot !== undefined && { name: slot, path: `${owner.type}.${slot}` }),
  }
  return new GraphError(code, message, { template, slot, ...subject, ...details })
}

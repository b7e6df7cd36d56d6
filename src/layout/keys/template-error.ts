import type { Code } from '../../schema/codes.js'
import { GraphError } from '../../schema/error.js'

type KeyCode = Extract<Code, `key.${string}`>

/** Whose key a template makes: a type of node or edge, and the key attribute of the table or of an index. */
export interface KeyOwner {
  readonly type: string
  readonly attribute: string
}

/** A template, as far as its errors need to know it. */
export interface NamedTemplate {
  readonly source: string
  readonly owner?: KeyOwner | undefined
}

/** What is wrong with a key, and what to do about it. Both are parts of sentences. */
interface KeyFault {
  readonly wrong: string
  readonly advice: string
  /** the slot of the template that is at fault, where one is */
  readonly slot?: string | undefined
  /** further members of the details */
  readonly details?: object
}

/** An error about one template, and about one of its slots if that is known. */
export function createTemplateError(
  code: KeyCode,
  { source: template, owner }: NamedTemplate,
  { wrong, advice, slot, details }: KeyFault,
): GraphError<object> {
  const key = `the key '${template}'`
  const message = owner
    ? `${slot === undefined ? owner.type : `${owner.type}.${slot}`}: ${key} in '${owner.attribute}' ${wrong}; ${advice}.`
    : `${key.slice(4)}: it ${wrong}; ${advice}.`
  const subject = owner && {
    type: owner.type,
    attribute: owner.attribute,
    ...(slot !== undefined && { name: slot, path: `${owner.type}.${slot}` }),
  }
  return new GraphError<object>(code, message, { template, slot, ...subject, ...details })
}

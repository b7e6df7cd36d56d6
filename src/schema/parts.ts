import type { AttributeKind, DeclaredAttribute, DeclaredAttributes, DeclaredPath, Way } from './declared.js'
import { checkName, checkStoredNames } from './names.js'
import { checkOptions, isCount, refuse } from './refusal.js'

/** A node or an edge, as far as its attributes go. */
interface Declared {
  readonly name: string
  readonly attributes: DeclaredAttributes
  readonly expires: string | undefined
}

/** Whether a value can be a part of a key: it has one text, in an order that means something. */
export function isKeyable({ type, derived }: DeclaredAttribute): boolean {
  return !derived && (type === 'S' || type === 'N' || type === 'BOOL')
}

/** The members within an attribute: of a map, of a list of them, and of what is stored as one. */
export const membersIn = ({ mapped, element = mapped?.of, members = {} }: DeclaredAttribute): DeclaredAttributes =>
  element ? membersIn(element) : members

/** Refuses a type by its own name and by those of its attributes, and where TTL would leave something behind that is wrong. */
export function checkAttributes(declared: Declared, left: string | false | undefined): void {
  const { name: type, attributes, expires } = declared
  checkName(type, 'a type')
  for (const name in attributes) {
    checkName(name, `an attribute of ${type}`)
    attributes[name]!.renewed?.check?.(declared, name)
  }
  checkStoredNames(attributes, type)
  if (expires === undefined) return
  checkPart(declared, expires, 'expires', true, 'date')
  refuse(type, left, 'option.expires', expires, `TTL would leave its ${left} behind: drop one`)
}

/** Refuses an attribute that is named where one of a key is needed, or one of a certain kind. */
export function checkPart(
  { name: type, attributes }: Omit<Declared, 'expires'>,
  name: string,
  use: string,
  optional: boolean,
  kind?: AttributeKind,
): void {
  const attribute = attributes[name]
  const fault = !attribute
    ? `unknown: it has ${Object.keys(attributes)}`
    : !isKeyable(attribute) || (kind && attribute.kind !== kind)
      ? `a ${attribute.kind}: use ${kind ?? 'a text, number, date or boolean'}`
      : !optional && attribute.optional && 'optional'
  refuse(type, fault, 'option.attribute', name, `'${name}' cannot serve ${use}, being ${fault}`)
}

export interface PathOptions {
  readonly in?: readonly string[]
  readonly order?: readonly string[]
  readonly as?: Way
  readonly shards?: number
}

/** A path in its one form. `type` is the node or the edge that it reads, `otherwise` its order where it says none. */
export function declaredPath(
  type: string,
  name: string,
  options: PathOptions,
  otherwise?: readonly string[],
): DeclaredPath {
  const path = `${type}.by.${name}`
  checkOptions(path, options, otherwise ? 'order, as, shards' : 'in, order, as, shards')
  const { in: given = [], order = otherwise ?? [], as, shards = 1 } = options
  const parts = [...given, ...order]
  refuse(
    path,
    parts.length === 0 || new Set(parts).size < parts.length,
    'path.parts',
    name,
    `give each part once in 'in' or 'order'`,
  )
  refuse(path, !isCount(shards), 'path.shards', name, `give shards from 1 instead of ${shards}`)
  return { name, in: given, order, as, shards }
}

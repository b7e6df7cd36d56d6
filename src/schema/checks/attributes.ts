import type {
  AccessMethod,
  AttributeKind,
  DeclaredAttribute,
  DeclaredAttributes,
  DeclaredPath,
} from '../declarations.js'
import { checkOptions, isPositiveInteger, rejectDeclarationIf } from './assertions.js'
import { checkIdentifier, checkStoredNames } from './names.js'

/** A node or an edge, as far as its attributes go. */
interface CheckedType {
  readonly name: string
  readonly attributes: DeclaredAttributes
  readonly expires: string | undefined
}

/** Whether a value can be a part of a key: it has one text, in an order that means something. */
export function isKeyable({ type, derived }: DeclaredAttribute): boolean {
  return !derived && (type === 'S' || type === 'N' || type === 'BOOL')
}

/** The members within an attribute: of a map, of a list of them, and of what is stored as one. */
export const innerMembersOf = ({
  mapped,
  element = mapped?.inner,
  members = {},
}: DeclaredAttribute): DeclaredAttributes => (element ? innerMembersOf(element) : members)

/** Refuses a type by its own name and by those of its attributes, and where TTL would leave something behind that is wrong. */
export function checkAttributes(declared: CheckedType, leftover: string | false | undefined): void {
  const { name: type, attributes, expires } = declared
  checkIdentifier(type, 'a type')
  for (const name in attributes) {
    checkIdentifier(name, `an attribute of ${type}`)
    attributes[name]!.recomputation?.checkDeclaration?.(declared, name)
  }
  checkStoredNames(attributes, type)
  if (expires === undefined) return
  checkAttributeUse(declared, expires, 'expires', true, 'date')
  rejectDeclarationIf(type, leftover, 'option.expires', expires, `TTL would leave its ${leftover} behind: drop one`)
}

/** Refuses an attribute that is named where one of a key is needed, or one of a certain kind. */
export function checkAttributeUse(
  { name: type, attributes }: Omit<CheckedType, 'expires'>,
  name: string,
  usage: string,
  optional: boolean,
  kind?: AttributeKind,
): void {
  const attribute = attributes[name]
  const reason = !attribute
    ? `unknown: it has ${Object.keys(attributes)}`
    : !isKeyable(attribute) || (kind && attribute.kind !== kind)
      ? `a ${attribute.kind}: use ${kind ?? 'a text, number, date or boolean'}`
      : !optional && attribute.optional && 'optional'
  rejectDeclarationIf(type, reason, 'option.attribute', name, `'${name}' cannot serve ${usage}, being ${reason}`)
}

export interface PathOptions {
  readonly in?: readonly string[]
  readonly order?: readonly string[]
  readonly as?: AccessMethod
  readonly shards?: number
}

/** A path in its one form. `type` is the node or the edge that it reads, `otherwise` its order where it says none. */
export function declarePath(
  type: string,
  name: string,
  options: PathOptions,
  defaultOrder?: readonly string[],
): DeclaredPath {
  const path = `${type}.by.${name}`
  checkOptions(path, options, defaultOrder ? 'order, as, shards' : 'in, order, as, shards')
  const { in: partitionParts = [], order = defaultOrder ?? [], as, shards = 1 } = options
  const parts = [...partitionParts, ...order]
  rejectDeclarationIf(
    path,
    parts.length === 0 || new Set(parts).size < parts.length,
    'path.parts',
    name,
    `give each part once in 'in' or 'order'`,
  )
  rejectDeclarationIf(path, !isPositiveInteger(shards), 'path.shards', name, `give shards from 1 instead of ${shards}`)
  return { name, in: partitionParts, order, as, shards }
}

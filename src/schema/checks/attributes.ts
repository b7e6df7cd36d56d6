import type {
  AccessMethod,
  AttributeKind,
  DeclaredAttribute,
  DeclaredAttributes,
  DeclaredPath,
} from '../declarations.js'
import { hasEntries } from '../map-values.js'
import { checkOptions, formatValue, isPositiveInteger, rejectDeclarationIf } from './assertions.js'
import { checkIdentifier, checkStoredNames } from './names.js'

/** The part of a node or an edge that attribute checks need. */
interface CheckedType {
  readonly name: string
  readonly attributes: DeclaredAttributes
  readonly expires: string | undefined
}

/** Whether a value can be part of a key: its type has one text form with a meaningful order. */
export function isKeyable({ type, derived }: DeclaredAttribute): boolean {
  return !derived && (type === 'S' || type === 'N' || type === 'BOOL')
}

/** Whether a path of a node can be sorted by this derived value: a counter, or a summary with an order. */
export const isRanking = ({ kind, type }: Partial<DeclaredAttribute> = {}): boolean =>
  kind === 'counter' || (kind === 'summary' && (type === 'N' || type === 'S'))

/**
 * The members inside an attribute: of a map, of the maps in a list, or of the attribute that a mapped one is stored as.
 */
export const innerMembersOf = ({
  mapped,
  element = mapped?.inner,
  members = {},
}: DeclaredAttribute): DeclaredAttributes => (element ? innerMembersOf(element) : members)

/** Rejects invalid names of a type and its attributes, and an expiry that would leave derived items behind. */
export function checkAttributes(declared: CheckedType, leftover: string | false | undefined): void {
  const { name: type, attributes, expires } = declared
  checkIdentifier(type, 'type')
  for (const name in attributes) {
    checkIdentifier(name, `attribute of ${type}`)
    attributes[name]!.recomputation?.checkDeclaration?.(declared, name)
  }
  checkStoredNames(attributes, type)
  if (expires === undefined) return
  checkAttributeUse(declared, expires, 'expires', true, 'date')
  rejectDeclarationIf(
    type,
    leftover,
    'option.expires',
    expires,
    `TTL would leave its ${leftover} behind; remove it or 'expires'.`,
  )
}

/** Rejects an attribute that cannot be part of a key, or that is not of the required kind. */
export function checkAttributeUse(
  { name: type, attributes }: Omit<CheckedType, 'expires'>,
  name: string,
  usage: string,
  optional: boolean,
  kind?: AttributeKind,
): void {
  const attribute = attributes[name]
  const problem = !attribute
    ? `is not an attribute; ${hasEntries(attributes) ? `give one of ${Object.keys(attributes).join(', ')}` : 'declare it'}`
    : !isKeyable(attribute) || (kind && attribute.kind !== kind)
      ? `is a ${attribute.kind}; use a ${kind ?? 'text, number, date or boolean'}`
      : !optional && attribute.optional && 'is optional; use a required attribute'
  rejectDeclarationIf(type, problem, 'option.attribute', name, `'${name}' in '${usage}' ${problem}.`)
}

export interface PathOptions {
  readonly in?: readonly string[]
  readonly order?: readonly string[]
  readonly as?: AccessMethod
  readonly shards?: number
}

/** Normalizes the options of a path. `defaultOrder` is given for the ends of edges, which have no `in`. */
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
    `its parts are missing or duplicate; give each part once in 'in' or 'order'.`,
  )
  rejectDeclarationIf(
    path,
    !isPositiveInteger(shards),
    'path.shards',
    name,
    `${formatValue(shards)} is not a number of shards; give an integer of at least 1.`,
  )
  return { name, in: partitionParts, order, as, shards }
}

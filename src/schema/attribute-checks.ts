import type { DeclaredAttribute, DeclaredAttributes } from './declared.js'
import { declarationError } from './error.js'
import { isKeyable, keyableWords } from './keyable.js'
import { checkDistinct, checkName } from './names.js'

/** A node or an edge, as far as its attributes go. */
interface Declared {
  readonly name: string
  readonly attributes: DeclaredAttributes
}

/** Names of attributes, as declared and as stored. */
export function checkAttributeNames({ name: type, attributes }: Declared): void {
  const names = Object.keys(attributes)
  for (const name of names) checkName(name, `an attribute of ${type}`)
  checkDistinct(
    names.map(name => attributes[name]!.storedAs ?? name),
    `${type}, as stored,`,
  )
}

/** The attribute that an option names. */
export function attributeFor({ name: type, attributes }: Declared, name: string, use: string): DeclaredAttribute {
  const attribute = attributes[name]
  if (attribute) return attribute
  const known = Object.keys(attributes).join(', ') || 'none'
  throw declarationError(
    'option.attribute',
    type,
    name,
    `${type} has no attribute '${name}' for ${use}: it has ${known}`,
  )
}

/** An attribute of which keys are made. */
export function checkPart(declared: Declared, name: string, use: string, may: 'be missing' | 'not be missing'): void {
  const attribute = attributeFor(declared, name, use)
  const optional = may === 'not be missing' && attribute.optional
  if (isKeyable(attribute) && !optional) return
  const fault = optional ? 'optional' : `a ${attribute.kind}`
  throw unfit(declared.name, name, use, fault, `use ${keyableWords()}`)
}

export function unfit(type: string, name: string, use: string, fault: string, advice: string) {
  return declarationError(
    'option.attribute',
    type,
    name,
    `'${name}' of ${type} cannot serve ${use}, being ${fault}: ${advice}`,
  )
}

/** TTL deletes an item alone: `left` is what would stay behind and be wrong. */
export function checkExpires(declared: Declared, expires: string | undefined, left: string | false): void {
  if (expires === undefined) return
  const { kind } = attributeFor(declared, expires, 'expires')
  const { name: type } = declared
  if (kind !== 'date') throw unfit(type, expires, 'expires', `a ${kind}`, 'use a date()')
  if (left)
    throw declarationError(
      'option.expires',
      type,
      expires,
      `${type} expires and has ${left}, which would stay behind: drop one of the two`,
    )
}

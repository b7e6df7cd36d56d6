import type { AttributeKind, DeclaredAttribute } from './declared.js'

const KEYABLE: ReadonlySet<AttributeKind> = new Set<AttributeKind>([
  'string',
  'number',
  'integer',
  'bigint',
  'decimal',
  'boolean',
  'date',
  'oneOf',
  'ulid',
])

/** Whether a value can be a part of a key: it has one text, in an order that means something. */
export function isKeyable({ kind }: DeclaredAttribute): boolean {
  return KEYABLE.has(kind)
}

/** What to use in keys. A validator's output is known only when it is there, and so is not among them. */
export function keyableWords(): string {
  return `${[...KEYABLE].join('(), ')}(), with .check(validator) where needed`
}

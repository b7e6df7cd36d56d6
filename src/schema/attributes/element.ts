import type { DeclaredAttribute } from '../declared.js'
import { GraphError } from '../error.js'
import type { StandardSchema } from '../standard.js'
import { declaredOf } from './validated.js'

/** What a list or a set is made of. */
export function declaredElement(of: StandardSchema, inside: 'list' | 'set'): DeclaredAttribute {
  const element = declaredOf(of, `the element of a ${inside}`)
  const fault = modifierOf(element)
  if (fault)
    throw new GraphError(
      'attribute.element',
      `the elements of a ${inside} cannot be ${fault}: say that of the ${inside} itself`,
    )
  return element
}

function modifierOf({ kind, optional, immutable, derived, storedAs, fallback }: DeclaredAttribute): string | undefined {
  if (derived) return `a ${kind}`
  // A validator that takes undefined is never given one by a list.
  if (kind === 'validated') return undefined
  if (optional) return 'optional'
  if (immutable && kind !== 'ulid') return 'immutable'
  if (storedAs !== undefined) return 'stored by name'
  return fallback && kind !== 'ulid' ? 'given by default' : undefined
}

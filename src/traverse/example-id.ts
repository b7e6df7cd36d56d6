import type { DeclaredType } from '../layout/slots.js'
import { identityMembers } from '../plan/members.js'
import { setRowMember } from '../plan/row.js'
import type { DeclaredAttribute } from '../schema/declarations.js'

/** An id that a node of this type could have, to price a read before any id is known. */
export function exampleIdOf(type: DeclaredType): unknown {
  const members = identityMembers(type)
  if (members.length === 1) return exampleOf(members[0]!.attribute)
  const id: Record<string, unknown> = {}
  for (const { segments, attribute } of members) {
    setRowMember(id, segments, exampleOf(attribute))
  }
  return id
}

function exampleOf({ kind, values, range }: DeclaredAttribute): unknown {
  switch (kind) {
    case 'oneOf':
      return values![0]
    case 'integer':
    case 'number':
      return range?.min ?? 0
    case 'bigint':
      return 0n
    case 'decimal':
      return '0'
    case 'date':
      return new Date(0)
    case 'boolean':
      return true
    case 'ulid':
      return '0'.repeat(26)
    default:
      return 'x'.repeat(10)
  }
}

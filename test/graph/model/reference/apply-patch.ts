import { PatchOperation } from '../../../../src/schema/patch-operations.js'
import type { Row } from './identity.js'

/** A row after a patch. */
export function patched(row: Row, patch: Row): Row {
  const after: Record<string, unknown> = { ...row }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const made = value instanceof PatchOperation ? operated(row[name], value) : value
    if (made === undefined) delete after[name]
    else after[name] = made
  }
  return after
}

/** A value after an operation. */
export function operated(before: unknown, { kind, value }: PatchOperation): unknown {
  if (kind === 'remove') return undefined
  if (kind === 'add') return ((before as number | undefined) ?? 0) + (value as number)
  const members = new Set(before as Set<unknown> | undefined)
  for (const member of value as unknown[]) kind === 'include' ? members.add(member) : members.delete(member)
  return members.size > 0 ? members : undefined
}

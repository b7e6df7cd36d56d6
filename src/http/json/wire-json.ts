import { isDate, isUint8Array } from 'node:util/types'
import { formatBase64 } from './base64.js'

const SECOND_MS = 1000

/**
 * Converts a response to its JSON form: bytes as base64, dates as seconds since 1970. Parts without these values are
 * returned unchanged, and the input is never modified.
 */
export function toWireValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return toWireList(value)
  if (isUint8Array(value)) return formatBase64(value)
  if (isDate(value)) return value.getTime() / SECOND_MS
  return toWireMembers(value as Record<string, unknown>)
}

function toWireList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const wireValue = toWireValue(list[index])
    if (wireValue === list[index]) continue
    copy ??= [...list]
    copy[index] = wireValue
  }
  return copy ?? list
}

function toWireMembers(members: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'object' || member === null) continue
    const wireValue = toWireValue(member)
    if (wireValue === member) continue
    copy ??= { ...members }
    copy[name] = wireValue
  }
  return copy ?? members
}

import { isDate, isUint8Array } from 'node:util/types'
import { writeBase64 } from './base64.js'

const SECOND_MS = 1000

/**
 * An answer as JSON has it: bytes as base64, moments as seconds since 1970. Parts without any are answered as they are,
 * and nothing that was given is changed.
 */
export function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return listToWire(value)
  if (isUint8Array(value)) return writeBase64(value)
  if (isDate(value)) return value.getTime() / SECOND_MS
  return membersToWire(value as Record<string, unknown>)
}

function listToWire(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const written = toWire(list[index])
    if (written === list[index]) continue
    copy ??= [...list]
    copy[index] = written
  }
  return copy ?? list
}

function membersToWire(members: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'object' || member === null) continue
    const written = toWire(member)
    if (written === member) continue
    copy ??= { ...members }
    copy[name] = written
  }
  return copy ?? members
}

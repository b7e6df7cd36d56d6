import { isObject } from '../schema/checks/assertions.js'
import { mapValues } from '../schema/map-values.js'

/** Values that JSON has no form for, as objects with one member that names their kind. */
export function toPlainData(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (value instanceof Date) return { $date: value.getTime() }
  if (value instanceof Uint8Array) return { $bytes: [...value] }
  if (value instanceof Set) return { $set: [...value].map(toPlainData) }
  if (Array.isArray(value)) return value.map(toPlainData)
  return isObject(value) ? mapValues(value, toPlainData) : value
}

/** Reverses `toPlainData`. Other objects are kept, so that a member of this name needs no declaration. */
export function fromPlainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlainData)
  if (!isObject(value)) return value
  const { $bigint, $date, $bytes, $set } = value
  if (typeof $bigint === 'string' && /^-?\d+$/.test($bigint)) return BigInt($bigint)
  if (typeof $date === 'number') return new Date($date)
  if (Array.isArray($bytes)) return Uint8Array.from($bytes as number[])
  if (Array.isArray($set)) return new Set($set.map(fromPlainData))
  return mapValues(value, fromPlainData)
}

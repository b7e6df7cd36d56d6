import { countUtf8Bytes } from '../size.js'
import type { ModelShape, StructureShape } from './shapes.js'

/** The error messages of a request parser that is stricter than the common one. */
export interface StrictReadError {
  readonly error: 'SerializationException' | 'ValidationException'
  readonly message: string
}

/**
 * Reads a search request. The service has a separate parser for it, which rejects null for required members and reports
 * the position at which it stopped. The position counts the request's JSON as clients write it, without whitespace.
 */
export function strictErrorOf(input: StructureShape, request: Record<string, unknown>): StrictReadError | undefined {
  for (const name of Object.keys(request)) {
    const member = input.members[name]
    const value = request[name]
    if (!member || value === undefined || (value === null && !member.required) || isOfType(member, value)) continue
    const message = `invalid type: ${describeValue(value)}, expected ${EXPECTED[member.kind]} at ${locationOfMember(request, name)}`
    return { error: 'SerializationException', message }
  }
  const missing = Object.keys(input.members).find(name => input.members[name]!.required && request[name] === undefined)
  if (!missing) return undefined
  const message = `missing field \`${missing}\` at line 1 column ${countUtf8Bytes(toWireJson(request))}`
  return { error: 'ValidationException', message }
}

const EXPECTED: Partial<Record<ModelShape['kind'], string>> = {
  text: 'a string',
  integer: 'i32',
  list: 'a sequence',
  map: 'a map',
}

function isOfType({ kind }: ModelShape, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'integer':
      return Number.isInteger(value)
    case 'list':
      return Array.isArray(value)
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(value)}`
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case 'boolean':
      return `boolean \`${value}\``
    default:
      if (value === null) return 'null'
      return Array.isArray(value) ? 'sequence' : 'map'
  }
}

/** The position in the request's JSON: the end of a scalar member, or the start of a list or map. */
function locationOfMember(request: Record<string, unknown>, name: string): string {
  const names = Object.keys(request).filter(other => request[other] !== undefined)
  const upToMember = Object.fromEntries(names.slice(0, names.indexOf(name) + 1).map(key => [key, request[key]]))
  const value = request[name]
  const isWhole = typeof value !== 'object' || value === null
  const end = countUtf8Bytes(toWireJson(upToMember)) - 1
  return `line 1 column ${isWhole ? end : end - countUtf8Bytes(toWireJson(value))}`
}

function toWireJson(value: unknown): string {
  return JSON.stringify(value, (_, member) => (member instanceof Uint8Array ? base64Placeholder(member) : member))
}

const base64Placeholder = ({ length }: Uint8Array) => 'A'.repeat(4 * Math.ceil(length / 3))

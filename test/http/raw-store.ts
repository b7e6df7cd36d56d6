import { OPERATION_BY_TARGET } from '../../src/http/operation-targets.js'
import type { Store } from '../../src/store/port.js'
import { call } from './raw-requests.js'

/** A store that sends every request unchanged, and converts only values without a JSON form. */
export function rawStore(url: string): Store {
  const methods = Array.from(OPERATION_BY_TARGET.values(), operation => {
    const name = operation.charAt(0).toLowerCase() + operation.slice(1)
    return [name, (request: unknown) => answered(url, operation, request)]
  })
  return Object.fromEntries(methods) as Store
}

async function answered(url: string, operation: string, request: unknown): Promise<unknown> {
  const { status, text } = await call(url, operation, JSON.stringify(request ?? {}, asWire))
  const answer = JSON.parse(text || '{}', asPort) as Record<string, unknown>
  if (status === 200) return answer
  const { __type, message, Message, ...details } = answer
  const name = String(__type).split('#')[1]!
  const error = new Error(String(message ?? Message ?? ''))
  throw Object.assign(error, { name, $fault: 'client', $metadata: { httpStatusCode: status } }, details)
}

/**
 * Converts values without a JSON form to their wire form. A date has already converted itself to a string at this
 * point.
 */
function asWire(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name]
  if (given instanceof Date) return given.getTime() / 1000
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** No attribute of this name is a string, and nothing else in a response has these names. */
function asPort(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return bytes(value)
  if (name === 'BS' && Array.isArray(value)) return value.map(bytes)
  if (name.endsWith('DateTime') && typeof value === 'number') return new Date(value * 1000)
  return value
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

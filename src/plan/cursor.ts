import type { AttributeValue, Key } from '../dynamodb/attribute-value.js'
import { GraphError } from '../schema/error.js'

const VERSION = 1

/** Where a read goes on: after this key, which the source of that number had found. */
export interface Position {
  readonly source: number
  readonly key: Key
}

/** An opaque text, which serves only the query that it is bound to. */
export function writeCursor(query: string, { source, key }: Position): string {
  const members = Object.entries(key).map(([name, value]) => [name, ...partOf(value)])
  return toText(JSON.stringify([VERSION, query, source, members]))
}

/** `attributes` tells those of the key, by the number of the source. */
export function readCursor(cursor: string, query: string, attributes: readonly (readonly string[])[]): Position {
  const [version, bound, source, members] = parsed(cursor)
  if (version !== VERSION) throw new GraphError('cursor.invalid', 'the cursor is of another version: begin again')
  if (bound !== query)
    throw new GraphError('cursor.mismatch', 'the cursor was made by another query: give it to that one, or begin again')
  const names = attributes[source as number]
  if (!names || !Array.isArray(members)) throw invalid()
  const key = Object.fromEntries(members.map(readMember))
  if (names.length !== members.length || names.some(name => !Object.hasOwn(key, name))) throw invalid()
  return { source: source as number, key }
}

/** The type of a key's value and a text of it. */
function partOf(value: AttributeValue): [type: string, text: string] {
  if (value.S !== undefined) return ['S', value.S]
  return value.N !== undefined ? ['N', value.N] : ['B', btoa(binaryText(value.B!))]
}

function readMember(member: unknown): [string, AttributeValue] {
  const [name, type, text] = Array.isArray(member) ? member : []
  if (typeof name !== 'string' || typeof text !== 'string') throw invalid()
  if (type === 'S') return [name, { S: text }]
  if (type === 'N') return [name, { N: text }]
  if (type === 'B') return [name, { B: bytesOf(atob(text)) }]
  throw invalid()
}

function parsed(cursor: string): unknown[] {
  try {
    const read = JSON.parse(fromText(cursor))
    if (Array.isArray(read)) return read
  } catch {
    // Whatever is wrong with it, it is not a cursor.
  }
  throw invalid()
}

const invalid = () => new GraphError('cursor.invalid', 'this is not a cursor: give one that a page answered with')

function toText(text: string): string {
  const encoded = btoa(binaryText(new TextEncoder().encode(text)))
  return encoded.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromText(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(binary))
}

const binaryText = (bytes: Uint8Array) => Array.from(bytes, byte => String.fromCharCode(byte)).join('')
const bytesOf = (binary: string) => Uint8Array.from(binary, character => character.charCodeAt(0))

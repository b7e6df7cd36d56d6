import { hash } from 'node:crypto'
import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'

/** Where a page of a SELECT ended: the index of its range and the last key, or undefined before the first key. */
export interface PagePosition {
  readonly range: number
  readonly key: string | undefined
}

/** Encodes where to continue. The token is valid only for the same statement with the same parameters. */
export function encodeNextToken(
  statement: string,
  parameters: readonly AttributeValue[],
  { range, key }: PagePosition,
): string {
  const place = [range, Buffer.from(key ?? '', 'latin1').toString('base64')]
  return Buffer.from(JSON.stringify([digestOf(statement, parameters), ...place])).toString('base64')
}

export function decodeNextToken(token: string, statement: string, parameters: readonly AttributeValue[]): PagePosition {
  const [digest, range, key] = parseFields(token)
  if (typeof digest !== 'string' || typeof range !== 'number' || typeof key !== 'string') throw invalidTokenError()
  if (digest !== digestOf(statement, parameters)) throw validationError('NextToken does not match request')
  return { range, key: key === '' ? undefined : Buffer.from(key, 'base64').toString('latin1') }
}

const invalidTokenError = () => validationError('Invalid NextToken')

function parseFields(token: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return Array.isArray(read) ? read : []
  } catch {
    throw invalidTokenError()
  }
}

function digestOf(statement: string, parameters: readonly AttributeValue[]): string {
  const bytesAsText = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  return hash('sha256', JSON.stringify([statement, parameters], bytesAsText), 'base64')
}

import { createHash } from 'node:crypto'
import { LIST_TRANSFERS_DEFAULT } from '../../dynamodb/limits.js'
import { validationError } from '../errors.js'
import type { TransferKind, TransferName } from './transfer-arns.js'

interface Page<Transfer> {
  readonly transfers: readonly Transfer[]
  readonly nextToken: string | undefined
}

/** One page of exports or imports, the newest first. */
export function listPage<Transfer extends TransferName>(
  kind: TransferKind,
  all: Iterable<Transfer>,
  limit: number = LIST_TRANSFERS_DEFAULT,
  token?: string,
): Page<Transfer> {
  const sorted = [...all].sort((a, b) => (placeOf(a) > placeOf(b) ? -1 : 1))
  const after = token === undefined ? undefined : parseToken(kind, token)
  const rest = after === undefined ? sorted : sorted.filter(each => placeOf(each) < after)
  const transfers = rest.slice(0, limit)
  return { transfers, nextToken: rest.length > limit ? newToken(kind, placeOf(transfers.at(-1)!)) : undefined }
}

const placeOf = ({ id, tableName }: TransferName) => `${id}/${tableName}`

/** The service demands groups of 16 hexadecimal digits, and at least 112 digits. */
const GROUP_BYTES = 8
const TEXT_BYTES_MIN = 48

/** A checksum, and the place of the last transfer of the page, padded with zeros. */
function newToken(kind: TransferKind, place: string): string {
  const text = Buffer.from(place)
  const padded = Buffer.alloc(Math.max(TEXT_BYTES_MIN, Math.ceil(text.length / GROUP_BYTES) * GROUP_BYTES))
  text.copy(padded)
  return checksumOf(kind, padded) + padded.toString('hex')
}

function parseToken(kind: TransferKind, token: string): string {
  const text = Buffer.from(token.slice(2 * GROUP_BYTES), 'hex')
  if (text.length < TEXT_BYTES_MIN || checksumOf(kind, text) !== token.slice(0, 2 * GROUP_BYTES))
    throw validationError(`Invalid Request: Provided nextToken is invalid: ${token}`)
  return text.toString().replace(/\0+$/, '')
}

function checksumOf(kind: TransferKind, text: Buffer): string {
  return createHash('sha256')
    .update(kind)
    .update(text)
    .digest('hex')
    .slice(0, 2 * GROUP_BYTES)
}

import type { Engine } from '../engine.js'
import { invalidParameterError, ServiceError, validationError } from '../errors.js'
import { tableArn } from '../tables/arns.js'

const ARN = /^arn:([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/
const TABLE = /^table\/([a-zA-Z0-9_.-]{3,255})$/
const TRANSFER = /^table\/([a-zA-Z0-9_.-]{3,255})\/(export|import)\/([^/]+)$/

export type TransferKind = 'export' | 'import'

/** An export or an import, as its ARN names it. */
export interface TransferName {
  readonly tableName: string
  readonly id: string
}

/** The end of an ARN. */
export const transferResource = (kind: TransferKind, { tableName, id }: TransferName) =>
  `table/${tableName}/${kind}/${id}`

export function arnOfTransfer(engine: Engine, kind: TransferKind, { tableName, id }: TransferName): string {
  return `${tableArn(engine, tableName)}/${kind}/${id}`
}

const accessDenied = () => new ServiceError('AccessDeniedException', 'Access is denied')

/** Undefined where the ARN is of another region. */
export function parseTransferArn(engine: Engine, kind: TransferKind, arn: string): TransferName | undefined {
  const invalid = validationError(`Invalid ${kind === 'export' ? 'Export' : 'Import'} ARN`)
  const [, partition, service, region, account, resource = ''] = ARN.exec(arn) ?? []
  if (account === undefined) throw invalid
  if (partition !== 'aws' || service !== 'dynamodb' || account !== engine.accountId) throw accessDenied()
  const [, tableName, itsKind, id] = TRANSFER.exec(resource) ?? []
  if (id === undefined || itsKind !== kind) throw invalid
  return region === engine.region ? { tableName: tableName!, id } : undefined
}

/** The name in the ARN of a table; undefined where it is of another region. */
export function parseTableArn(engine: Engine, arn: string): string | undefined {
  const [, partition, service, region, account, resource = ''] = ARN.exec(arn) ?? []
  if (account === undefined || partition !== 'aws' || service !== 'dynamodb')
    throw invalidParameterError('tableArn is not a valid ARN')
  if (account !== engine.accountId) throw accessDenied()
  const [, name] = TABLE.exec(resource) ?? []
  if (name === undefined) throw validationError('Invalid Request: Table ARN is invalid.')
  return region === engine.region ? name : undefined
}

const MS_DIGITS = 14
const SUFFIX_DIGITS = 8

/** The time of its start, and a suffix at random. */
export function newTransferId(startMs: number, isTaken: (id: string) => boolean): string {
  for (;;) {
    const suffix = crypto.randomUUID().slice(0, SUFFIX_DIGITS)
    const id = `${String(startMs).padStart(MS_DIGITS, '0')}-${suffix}`
    if (!isTaken(id)) return id
  }
}

import type { StreamViewType } from '../../dynamodb/operation-types.js'
import type { AccessTrackingMap } from '../access-tracking-map.js'
import type { Engine } from '../engine.js'
import { notFoundError, validationError } from '../errors.js'
import type { Table } from '../tables/table.js'
import { type StoredStreamState, Stream, type StreamTable } from './stream.js'

const STREAM_ARN = /^arn:aws[a-z-]*:dynamodb:([^:]*):([^:]*):table\/([^/]+)\/stream\/([^/]+)$/

/** Streams by the resource part of their ARN, in the order in which they are listed. */
export type StreamRegister = AccessTrackingMap<Stream>

/**
 * Enables a table's stream. Its label is the current time, or the next millisecond if an earlier stream of the same
 * table name has that label.
 */
export function enableStream(engine: Engine, table: Table, view: StreamViewType): Stream {
  dropUnreadableStreams(engine)
  let labelMs = engine.now()
  while (engine.streams.has(toStreamResource(table.name, toStreamLabel(labelMs)))) labelMs++
  const label = toStreamLabel(labelMs)
  const id = table.description.TableId!
  const streamTable = {
    name: table.name,
    id,
    keys: table.keys,
    keySchema: structuredClone(table.description.KeySchema!),
  }
  const space = engine.keyValues.space(streamSpaceNameOf(id, label))
  const stream = new Stream(streamTable, label, view, space, engine.now, engine.settings.streams)
  engine.streams.set(toStreamResource(table.name, label), stream)
  table.stream = stream
  return stream
}

/** The stored definition of a stream. Its state changes with writes. */
export interface StreamDefinition {
  readonly table: StreamTable
  readonly label: string
  readonly view: StreamViewType
  readonly state: StoredStreamState
}

/** Restores a stream, and attaches it to its table if it is still enabled. */
export function resumeStream(engine: Engine, { table, label, view, state }: StreamDefinition): void {
  const space = engine.keyValues.space(streamSpaceNameOf(table.id, label))
  const stream = new Stream(table, label, view, space, engine.now, engine.settings.streams, state)
  engine.streams.set(toStreamResource(table.name, label), stream)
  const own = engine.tables.get(table.name)
  if (own?.description.TableId === table.id && stream.disabledMs === undefined) own.stream = stream
}

/** Disables a table's stream. Its records stay readable for 24 hours. */
export function disableStream(engine: Engine, table: Table): void {
  table.stream?.disable(engine.now())
  table.stream = undefined
  dropUnreadableStreams(engine)
}

/** Drops streams without readable records. */
export function dropUnreadableStreams(engine: Engine): void {
  for (const [name, stream] of engine.streams) {
    if (stream.isReadable(engine.now())) continue
    engine.streams.delete(name)
    engine.keyValues.drop(streamSpaceNameOf(stream.table.id, stream.label))
  }
}

export function streamArn({ region, accountId }: Engine, stream: Stream): string {
  return `arn:aws:dynamodb:${region}:${accountId}:${streamResourceOf(stream)}`
}

export function findStream(engine: Engine, arn: string): Stream {
  const stream = engine.streams.get(parseStreamArn(engine, arn) ?? '')
  if (!stream?.isReadable(engine.now())) throw notFoundError(`Requested resource not found: Stream: ${arn} not found`)
  return stream
}

/** Returns the resource part of a stream ARN; undefined if the ARN is of another region or account. */
export function parseStreamArn({ region, accountId }: Engine, arn: string): string | undefined {
  const parts = STREAM_ARN.exec(arn)
  if (!parts) throw validationError('Invalid StreamArn')
  const [, itsRegion, itsAccount, table, label] = parts
  return itsRegion === region && itsAccount === accountId ? toStreamResource(table!, label!) : undefined
}

/** Returns the resource part of a stream's ARN. */
export function streamResourceOf({ table, label }: Stream): string {
  return toStreamResource(table.name, label)
}

function toStreamResource(tableName: string, label: string): string {
  return `table/${tableName}/stream/${label}`
}

function streamSpaceNameOf(tableId: string, label: string): string {
  return `${tableId}/stream/${label}`
}

function toStreamLabel(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1)
}

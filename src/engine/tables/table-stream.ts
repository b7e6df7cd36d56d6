import type { StreamViewType } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { disableStream, enableStream } from '../streams/stream-register.js'
import type { Table } from './table.js'

export function startStream(engine: Engine, table: Table, view: StreamViewType): void {
  const { label } = enableStream(engine, table, view)
  const StreamSpecification = { StreamEnabled: true, StreamViewType: view }
  table.description = { ...table.description, StreamSpecification, LatestStreamLabel: label }
}

/** Disables the stream of a table. The description keeps the label but no longer shows the stream as enabled. */
export function stopStream(engine: Engine, table: Table): void {
  disableStream(engine, table)
  const { StreamSpecification: _, ...rest } = table.description
  table.description = rest
}

import { LIST_STREAMS } from '../../../dynamodb/limits.js'
import type { ListStreamsInput, ListStreamsOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError } from '../../errors.js'
import { parseStreamArn, streamArn } from '../../streams/stream-register.js'

export function listStreams(engine: Engine, request: ListStreamsInput): ListStreamsOutput {
  const { TableName, ExclusiveStartStreamArn: start, Limit = LIST_STREAMS } = request
  if (Limit > LIST_STREAMS)
    throw invalidParameterError(`Limit cannot be greater than the maximum allowed size: ${LIST_STREAMS}`)
  const after = start === undefined ? '' : (parseStreamArn(engine, start) ?? '')
  const nowMs = engine.now()
  const streams = [...engine.streams]
    .filter(([name, stream]) => name > after && stream.isReadable(nowMs))
    .filter(([, { table }]) => TableName === undefined || table.name === TableName)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, stream]) => ({
      StreamArn: streamArn(engine, stream),
      TableName: stream.table.name,
      StreamLabel: stream.label,
    }))
  if (streams.length <= Limit) return { Streams: streams }
  const page = streams.slice(0, Limit)
  return { Streams: page, LastEvaluatedStreamArn: page.at(-1)!.StreamArn }
}

import type { Key } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { leaveExpired, type PathAsk, sizesOf } from './ask.js'
import { Expressions } from './expression.js'
import type { Step } from './plan.js'
import { consistency, queryPrice } from './price.js'
import { isMixed, type Source } from './queries.js'

/** The Query of one of a path's partitions. */
export function queryStep(
  layout: Layout,
  ask: PathAsk,
  source: Source,
  step: { readonly id: number; readonly start: Key | undefined; readonly select: object },
): Step {
  const { access } = source
  const { id, start, select } = step
  const { names, design } = layout
  refuseInconsistent(ask, access)
  const expressions = new Expressions()
  const KeyConditionExpression = expressions.key(source.tests)
  const mixed = isMixed(layout, source)
  if (mixed) expressions.oneOf(names.type, source.marks)
  leaveExpired(layout, access.type, ask, expressions)
  if (ask.filter) expressions.filter(ask.filter)
  const limit = ask.count || expressions.filtered ? undefined : ask.limit
  return {
    id,
    after: [],
    request: {
      operation: 'query',
      input: {
        TableName: design.name,
        ...(access.index !== undefined && { IndexName: access.index }),
        KeyConditionExpression,
        ...expressions.members(),
        ...(ask.reverse && { ScanIndexForward: false }),
        ...(ask.consistent && { ConsistentRead: true }),
        ...select,
        ...(limit !== undefined && { Limit: limit }),
        ...(start && { ExclusiveStartKey: start }),
      },
    },
    pages: { until: ask.count ? 'end' : (ask.limit ?? 'end') },
    price: queryPrice(access.index, expected(ask, access, limit), consistency(ask.consistent)),
    ...notesOf(ask, access, mixed),
  }
}

function refuseInconsistent({ consistent }: PathAsk, { consistent: can, index, type, name }: Access): void {
  if (consistent && !can)
    throw new GraphError(
      'read.consistent',
      `${type.name}.by.${name} is read from the index ${index}, which is never strongly consistent: declare it 'mirror', or read without`,
      { type: type.name, name },
    )
}

function expected(ask: PathAsk, { shards }: Access, limit: number | undefined) {
  const { items, itemBytes } = sizesOf(ask)
  return { items: Math.ceil(items / shards), itemBytes, limit }
}

function notesOf(ask: PathAsk, access: Access, mixed: boolean): { notes?: string[] } {
  const notes = [
    ...(access.shards > 1 ? [`one of ${access.shards} shards, merged in order`] : []),
    ...(mixed ? ['other kinds lie in the same partition: they are read and paid for, then left out'] : []),
    ...(ask.filter ? ['the filter is applied after reading: it costs what is read, not what is found'] : []),
  ]
  return notes.length > 0 ? { notes } : {}
}

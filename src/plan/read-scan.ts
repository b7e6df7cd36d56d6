import { hashOf } from '../layout/fingerprint.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { beginning } from '../layout/template-encode.js'
import { checkLimit, leaveExpired, type ReadOptions, sizesOf } from './ask.js'
import { readCursor } from './cursor.js'
import { Expressions, type Filter } from './expression.js'
import { ownKind, tenantValues, typeOf } from './identity.js'
import type { Found, Plan } from './plan.js'
import { consistency, queryPrice } from './price.js'

export interface ScanAsk extends ReadOptions {
  readonly type: string
  readonly filter?: Filter | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly count?: boolean | undefined
}

/** Every row of a type, by reading the whole table, whatever lies in it; `sizes.items` are those of the table. */
export function planScan(layout: Layout, ask: ScanAsk): Plan {
  const { names, design } = layout
  const kind = ownKind(layout, typeOf(layout, ask.type))
  checkLimit(ask.limit)
  const keys = [names.partition, names.sort]
  const query = hashOf(JSON.stringify(['scan', ask.type, ask.tenant, ask.filter]))
  const start = ask.cursor === undefined ? undefined : readCursor(ask.cursor, query, [keys]).key
  const found: Found = {
    steps: [0],
    reverse: false,
    kind: kind.name,
    ...(ask.limit !== undefined && { limit: ask.limit }),
  }
  const step = {
    id: 0,
    after: [],
    request: {
      operation: 'scan' as const,
      input: {
        TableName: design.name,
        ...filters(layout, ask, kind).members(),
        ...(ask.consistent && { ConsistentRead: true }),
        ...(ask.count && { Select: 'COUNT' }),
        ...(start && { ExclusiveStartKey: start }),
      },
    },
    pages: { until: ask.count ? ('end' as const) : (ask.limit ?? ('end' as const)) },
    price: queryPrice(undefined, sizesOf(ask), consistency(ask.consistent)),
    notes: ['the whole table is read and paid for, whatever is found'],
  }
  if (ask.count) return { steps: [step], answer: { shape: 'count', steps: [0] } }
  return { steps: [step], answer: { shape: 'rows', found, cursor: { query, keys: [keys] } } }
}

function filters(layout: Layout, ask: ScanAsk, { mark, type, keys }: Kind): Expressions {
  const { names, graph } = layout
  const expressions = new Expressions()
  expressions.oneOf(names.type, [mark])
  if (graph.declared.tenant)
    expressions.beginning(names.partition, beginning(keys[names.partition]!, tenantValues(ask.tenant), 1))
  leaveExpired(layout, type, ask, expressions)
  if (ask.filter) expressions.filter(ask.filter)
  return expressions
}

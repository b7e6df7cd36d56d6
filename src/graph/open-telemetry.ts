import type { TraceEnd, TraceEvent, TraceListener, TraceScope } from './context.js'

type AttributeValue = string | number | boolean | string[]

/** The part of a span of `@opentelemetry/api` that edgewise uses. */
export interface OpenTelemetrySpan {
  setAttribute(name: string, value: AttributeValue): unknown
  setStatus(status: { code: number; message?: string }): unknown
  recordException(exception: Error): void
  end(): void
}

/** The part of `@opentelemetry/api` that edgewise uses. The package itself satisfies this interface. */
export interface OpenTelemetryApi<Context> {
  readonly context: {
    active(): Context
    with<T>(context: Context, work: () => T): T
  }
  readonly trace: {
    // biome-ignore lint/suspicious/noExplicitAny: the span of the API has more members, which are not used here
    setSpan(context: Context, span: any): Context
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: Record<string, AttributeValue> },
        context: Context,
      ): OpenTelemetrySpan
    }
  }
}

/** `SpanKind` and `SpanStatusCode` of the API. */
const INTERNAL = 0
const CLIENT = 2
const ERROR = 2

const SYSTEM = { 'db.system.name': 'aws.dynamodb' }

/**
 * Creates a listener with a span for every call and, within it, for every request. Spans are active while the work
 * runs, so that spans of the AWS SDK's instrumentation nest in them. They follow the semantic conventions for
 * DynamoDB, and contain no keys and no values of items.
 * @param api the package `@opentelemetry/api`: `import * as api from '@opentelemetry/api'`
 * @returns the option `listener` of `open`
 * @throws {TypeError} if the argument is not the package's API.
 * @example
 * ```ts
 * import * as api from '@opentelemetry/api'
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { openTelemetry } from 'edgewise/otel'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const g = await open(graph('app', [user]), memory(), { listener: openTelemetry(api) })
 * ```
 */
export function openTelemetry<Context>(api: OpenTelemetryApi<Context>): TraceListener {
  if (typeof api?.trace?.getTracer !== 'function' || typeof api.context?.with !== 'function')
    throw new TypeError("openTelemetry: this is not OpenTelemetry's API; pass the package '@opentelemetry/api'.")
  const { context, trace } = api
  const tracer = trace.getTracer('edgewise')
  /** Without a context manager no context is active, and a request still has its call as its parent. */
  const contexts = new WeakMap<TraceEvent, Context>()
  return event => {
    const parent = (event.call && contexts.get(event.call)) ?? context.active()
    const { kind, name, attributes } = descriptionOf(event)
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    const active = trace.setSpan(parent, span)
    contexts.set(event, active)
    return { run: work => context.with(active, work), end: traceEnd => endSpan(span, traceEnd) } satisfies TraceScope
  }
}

function descriptionOf({ kind, name, table, input }: TraceEvent) {
  if (kind === 'call')
    return { kind: INTERNAL, name, attributes: { ...SYSTEM, ...(table !== undefined && collection([table])) } }
  const operation = name[0]!.toUpperCase() + name.slice(1)
  const attributes = { ...SYSTEM, 'db.operation.name': operation, ...requestAttributes(input as RequestInput) }
  return { kind: CLIENT, name: `DynamoDB.${operation}`, attributes }
}

/** The request members that become span attributes. */
interface RequestInput {
  readonly TableName?: string
  readonly IndexName?: string
  readonly ConsistentRead?: boolean
  readonly ScanIndexForward?: boolean
  readonly Limit?: number
  readonly Segment?: number
  readonly TotalSegments?: number
  readonly Select?: string
  readonly RequestItems?: Readonly<Record<string, readonly object[] | { readonly Keys: readonly object[] }>>
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[]
}

const ATTRIBUTES = {
  IndexName: 'aws.dynamodb.index_name',
  ConsistentRead: 'aws.dynamodb.consistent_read',
  ScanIndexForward: 'aws.dynamodb.scan_forward',
  Limit: 'aws.dynamodb.limit',
  Segment: 'aws.dynamodb.segment',
  TotalSegments: 'aws.dynamodb.total_segments',
  Select: 'aws.dynamodb.select',
} as const

function requestAttributes(input: RequestInput): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = collection(tablesOf(input))
  const size = batchSize(input)
  // The conventions define a batch as more than one operation.
  if (size > 1) attributes['db.operation.batch.size'] = size
  for (const [member, name] of Object.entries(ATTRIBUTES)) {
    const value = input[member as keyof typeof ATTRIBUTES]
    if (value !== undefined) attributes[name] = value
  }
  return attributes
}

function tablesOf({ TableName, RequestItems, TransactItems }: RequestInput): string[] {
  if (TableName !== undefined) return [TableName]
  if (RequestItems) return Object.keys(RequestItems)
  const items = (TransactItems ?? []).flatMap(item => Object.values(item))
  return [...new Set(items.flatMap(({ TableName }) => (TableName === undefined ? [] : [TableName])))]
}

/** A request to several tables has no single collection. */
function collection(tables: string[]): Record<string, AttributeValue> {
  const [table, ...others] = tables
  if (table === undefined) return {}
  return { 'aws.dynamodb.table_names': tables, ...(others.length === 0 && { 'db.collection.name': table }) }
}

function batchSize({ RequestItems, TransactItems }: RequestInput): number {
  if (TransactItems) return TransactItems.length
  const tables = Object.values(RequestItems ?? {})
  return tables.reduce((size, table) => size + ('Keys' in table ? table.Keys : table).length, 0)
}

function endSpan(span: OpenTelemetrySpan, { error, units }: TraceEnd): void {
  if (units !== undefined) span.setAttribute('edgewise.consumed_units', units)
  if (error !== undefined) {
    const { name, message, code } = (error ?? {}) as { name?: string; message?: string; code?: unknown }
    span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? '_OTHER'))
    span.setStatus({ code: ERROR, ...(message !== undefined && { message }) })
    if (error instanceof Error) span.recordException(error)
  }
  span.end()
}

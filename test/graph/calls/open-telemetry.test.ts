import { createRequire } from 'node:module'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { type OpenTelemetryApi, openTelemetry } from '../../../src/graph/open-telemetry.js'
import { edge, graph, node, open, string } from '../../../src/index.js'

interface FinishedSpan {
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message?: string }
  readonly events: readonly { readonly name: string }[]
  readonly parentSpanContext?: { readonly spanId: string }
  spanContext(): { readonly spanId: string }
}
interface Exporter {
  getFinishedSpans(): FinishedSpan[]
  reset(): void
}
interface Sdk {
  readonly InMemorySpanExporter: new () => Exporter
  readonly SimpleSpanProcessor: new (exporter: Exporter) => object
  readonly BasicTracerProvider: new (options: { spanProcessors: readonly object[] }) => object
}
interface Api extends OpenTelemetryApi<object> {
  readonly trace: OpenTelemetryApi<object>['trace'] & {
    setGlobalTracerProvider(provider: object): void
    disable(): void
  }
  readonly context: OpenTelemetryApi<object>['context'] & {
    setGlobalContextManager(manager: object): void
    disable(): void
  }
}

const require = createRequire(import.meta.url)
const api: Api = require('@opentelemetry/api')
const sdk: Sdk = require('@opentelemetry/sdk-trace-base')
const { AsyncLocalStorageContextManager }: { AsyncLocalStorageContextManager: new () => { enable(): object } } =
  require('@opentelemetry/context-async-hooks')

const exporter = new sdk.InMemorySpanExporter()
const spanProcessors = [new sdk.SimpleSpanProcessor(exporter)]
api.trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors }))
const user = node('user', { id: string(), email: string() }, { id: 'id' })
const follows = edge('follows', { follower: user, followed: user })
const social = graph('social', [user, follows])

/** A store whose client has its own instrumentation, like the AWS SDK. */
function instrumented() {
  const store = memory()
  const getItem = store.getItem.bind(store)
  return Object.assign(store, {
    getItem: async (input: Parameters<typeof getItem>[0]) => {
      const span = api.trace.getTracer('sdk').startSpan('sdk', { kind: 2, attributes: {} }, api.context.active())
      try {
        return await getItem(input)
      } finally {
        span.end()
      }
    },
  })
}
const opened = () => open(social, instrumented(), { listener: openTelemetry(api) })
const spans = () => exporter.getFinishedSpans()
const named = (name: string) => spans().find(span => span.name === name)!
const parentOf = (span: FinishedSpan) =>
  spans().find(other => other.spanContext().spanId === span.parentSpanContext?.spanId)?.name

beforeEach(() => exporter.reset())
afterAll(() => {
  api.trace.disable()
  api.context.disable()
})

describe('spans for OpenTelemetry', () => {
  it('the span of a call is the parent of its requests without a context manager too', async () => {
    const g = await opened()
    await g.user.get('ann')
    expect(parentOf(named('DynamoDB.GetItem'))).toBe('user.get')
    expect(named('user.get').parentSpanContext).toBeUndefined()
  })

  it('spans are active, so that spans of the program, the call, the request and the SDK nest', async () => {
    api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const g = await opened()
    exporter.reset()
    const tracer = api.trace.getTracer('program')
    const span = tracer.startSpan('program', { kind: 0, attributes: {} }, api.context.active())
    await api.context.with(api.trace.setSpan(api.context.active(), span), async () => await g.user.get('ann'))
    span.end()
    expect(parentOf(named('sdk'))).toBe('DynamoDB.GetItem')
    expect(parentOf(named('DynamoDB.GetItem'))).toBe('user.get')
    expect(parentOf(named('user.get'))).toBe('program')
  })

  it('spans follow the conventions for DynamoDB, and contain no key and no value', async () => {
    const g = await opened()
    await g.follows.by.follower('secret').limit(5).all()
    expect(named('DynamoDB.Query')).toMatchObject({
      kind: 2,
      attributes: {
        'db.system.name': 'aws.dynamodb',
        'db.operation.name': 'Query',
        'db.collection.name': 'social',
        'aws.dynamodb.table_names': ['social'],
        'aws.dynamodb.limit': 5,
        'edgewise.consumed_units': 0.5,
      },
    })
    expect(named('follows.by.follower.all')).toMatchObject({
      kind: 0,
      attributes: { 'db.system.name': 'aws.dynamodb', 'db.collection.name': 'social' },
    })
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain('secret')
  })

  it('spans of batches and transactions carry the table and the number of operations', async () => {
    const g = await opened()
    await g.$transact([g.user.create({ id: 'ann', email: 'a@b' }), g.user.create({ id: 'bob', email: 'b@b' })])
    await g.$batch([g.user.get('ann'), g.user.get('bob')])
    expect(named('DynamoDB.TransactWriteItems').attributes).toMatchObject({
      'db.operation.name': 'TransactWriteItems',
      'db.collection.name': 'social',
      'db.operation.batch.size': 2,
    })
    expect(named('DynamoDB.BatchGetItem').attributes).toMatchObject({
      'db.collection.name': 'social',
      'db.operation.batch.size': 2,
    })
    expect(named('$transact').attributes).toMatchObject({ 'db.collection.name': 'social' })
  })

  it('spans record the error of a call by its code and that of a request by its name', async () => {
    const g = await opened()
    await g.user.create({ id: 'ann', email: 'a@b' })
    exporter.reset()
    await expect(g.user.create({ id: 'ann', email: 'a@b' })).rejects.toThrow()
    expect(named('user.create')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'write.exists' },
      events: [{ name: 'exception' }],
    })
    expect(named('DynamoDB.PutItem').attributes).toMatchObject({
      'error.type': 'ConditionalCheckFailedException',
    })
  })

  it('openTelemetry() without the API is rejected', () => {
    expect(() => openTelemetry({} as never)).toThrow("pass the package '@opentelemetry/api'")
  })
})

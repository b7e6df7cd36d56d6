import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDB, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { resolveClientConfig } from '../../src/aws/settings.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { add, graph, integer, node, open, string, wrap } from '../../src/index.js'
import { ANYWHERE, answering } from './stub-handler.js'

const UNAVAILABLE = { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'down' }
const ASK = { TableName: 'people', Key: { id: { S: 'a' } } }

describe('a store on a created client', () => {
  it('a created client sends an operation as the SDK does', async () => {
    const { sent, requestHandler } = answering(200, { Item: { id: { S: 'a' }, age: { N: '1' } } })
    const { Item } = await dynamodb({ ...ANYWHERE, requestHandler }).getItem(ASK)
    expect(Item).toEqual({ id: { S: 'a' }, age: { N: '1' } })
    expect(sent[0]!.hostname).toMatch(/dynamodb\.eu-west-1\.amazonaws\.com$/)
    expect(sent[0]!.headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem')
    expect(sent[0]!.body).toEqual(ASK)
  })

  it('a created client sends a request once, even if it fails', async () => {
    const { sent, requestHandler } = answering(500, UNAVAILABLE)
    const store = dynamodb({ ...ANYWHERE, requestHandler })
    await expect(store.getItem(ASK)).rejects.toMatchObject({ name: 'InternalServerError' })
    expect(sent).toHaveLength(1)
  })

  it('a created client assembles the middleware of an operation once by default, also for concurrent requests', async () => {
    const { sent, requestHandler } = answering(200, {})
    const keys = ['a', 'b', 'c'].map(id => ({ TableName: id, Key: { id: { S: id } } }))
    const made = vi.spyOn(GetItemCommand.prototype, 'resolveMiddleware')
    const asked = async (store: ReturnType<typeof dynamodb>) => {
      made.mockClear()
      sent.length = 0
      await Promise.all(keys.map(key => store.getItem(key)))
      expect(sent.map(({ body }) => body)).toEqual(keys)
      return made.mock.calls.length
    }
    expect(await asked(dynamodb({ ...ANYWHERE, requestHandler }))).toBe(1)
    expect(await asked(dynamodb({ ...ANYWHERE, requestHandler, cacheMiddleware: false }))).toBe(3)
    expect(await asked(dynamodb({ client: new DynamoDBClient({ ...ANYWHERE, requestHandler }) }))).toBe(3)
    made.mockRestore()
  })

  it('a created client merges single connection settings over the defaults', () => {
    const connections = { keepAlive: true, maxSockets: 256 }
    const { logger, ...settings } = resolveClientConfig({
      region: 'eu-west-1',
      requestHandler: { requestTimeout: 500 },
    })
    expect(settings).toEqual({
      region: 'eu-west-1',
      cacheMiddleware: true,
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: 2_000,
        requestTimeout: 500,
        throwOnRequestTimeout: true,
        httpAgent: connections,
        httpsAgent: connections,
      },
    })
    expect(logger).not.toHaveProperty('info')
  })

  it('a created client logs its requests only with a logger', async () => {
    const { requestHandler } = answering(200, {})
    const logged: unknown[] = []
    const logger = { ...console, info: (line: unknown) => logged.push(line) }
    await dynamodb({ ...ANYWHERE, requestHandler, logger }).getItem(ASK)
    expect(logged).toMatchObject([{ commandName: 'GetItemCommand', input: ASK }])
  })
})

describe('a store on an existing client', () => {
  it('an existing client sends a request once, without its own retries', async () => {
    const { sent, requestHandler } = answering(500, UNAVAILABLE)
    const client = new DynamoDB({ ...ANYWHERE, requestHandler, maxAttempts: 2 })
    await expect(dynamodb({ client }).getItem(ASK)).rejects.toMatchObject({ name: 'InternalServerError' })
    expect(sent).toHaveLength(1)
    await expect(client.getItem(ASK)).rejects.toMatchObject({ name: 'InternalServerError' })
    expect(sent).toHaveLength(3)
  })

  it('an existing client never uses a cached handler with retries', async () => {
    const { sent, requestHandler } = answering(500, UNAVAILABLE)
    const client = new DynamoDB({ ...ANYWHERE, requestHandler, maxAttempts: 2, cacheMiddleware: true })
    await expect(client.getItem(ASK)).rejects.toThrow('down')
    sent.length = 0
    await expect(dynamodb({ client }).getItem(ASK)).rejects.toThrow('down')
    expect(sent).toHaveLength(1)
  })

  it('the middleware of an existing client runs', async () => {
    const { sent, requestHandler } = answering(200, {})
    const client = new DynamoDBClient({ ...ANYWHERE, requestHandler })
    client.middlewareStack.add(
      next => args => next({ ...args, input: { ...args.input, TableName: 'others' } as never }),
    )
    await dynamodb({ client }).getItem(ASK)
    expect(sent[0]!.body).toEqual({ ...ASK, TableName: 'others' })
  })

  it('a client is rejected unless it is passed as `client`', () => {
    expect(() => dynamodb(new DynamoDBClient(ANYWHERE) as never)).toThrow(
      'give it by name, as in dynamodb({ client }).',
    )
    expect(() => dynamodb('http://localhost:8000' as never)).toThrow("dynamodb({ endpoint: 'http://localhost:8000' })")
  })

  it('a replaced send() of an existing client is used', async () => {
    const commands: unknown[] = []
    const client = new DynamoDBClient(ANYWHERE)
    client.send = async (command: { input: unknown }) => {
      commands.push(command.input)
      return { Item: { id: { S: 'stub' } } }
    }
    expect((await dynamodb({ client }).getItem(ASK)).Item).toEqual({ id: { S: 'stub' } })
    expect(commands).toEqual([ASK])
  })
})

describe('connections', () => {
  let server: Server
  afterEach(() => server.close())

  async function serving(respond: boolean): Promise<{ endpoint: string; connections: () => number }> {
    let connections = 0
    server = createServer((_, response) => {
      if (respond) response.end('{}')
    })
    server.on('connection', () => connections++)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { endpoint: `http://127.0.0.1:${port}`, connections: () => connections }
  }

  it('connections stay open until the store is destroyed', async () => {
    const { endpoint, connections } = await serving(true)
    const store = dynamodb({ ...ANYWHERE, endpoint })
    for (let i = 0; i < 5; i++) await store.getItem(ASK)
    expect(connections()).toBe(1)
    store.destroy()
    await store.getItem(ASK)
    expect(connections()).toBe(2)
    store.destroy()
  })

  it('connections of an existing client stay open when the store is destroyed', async () => {
    const { endpoint, connections } = await serving(true)
    const client = new DynamoDBClient({ ...ANYWHERE, endpoint })
    for (let i = 0; i < 2; i++) {
      const store = dynamodb({ client })
      await store.getItem(ASK)
      store.destroy()
    }
    expect(connections()).toBe(1)
    client.destroy()
  })

  it('a connection that does not respond in time is abandoned with an unknown outcome', async () => {
    const { endpoint } = await serving(false)
    const store = dynamodb({ ...ANYWHERE, endpoint, requestHandler: { requestTimeout: 50 } })
    await expect(store.putItem({ TableName: 'people', Item: {} })).rejects.toMatchObject({ name: 'TimeoutError' })
    store.destroy()
    server.closeAllConnections()
  })

  it('a call that is aborted with a reason leaves its connection and rejects with that reason', async () => {
    const { endpoint } = await serving(false)
    const store = dynamodb({ ...ANYWHERE, endpoint })
    const aborting = new AbortController()
    const { signal: abortSignal } = aborting
    const calls = [
      store.getItem(ASK, { abortSignal }),
      store.putItem({ TableName: 'people', Item: {} }, { abortSignal }),
      store.listStreams({}, { abortSignal }),
    ]
    const ended = Promise.allSettled(calls)
    const reason = new Error('changed my mind')
    setTimeout(() => aborting.abort(reason), 20)
    for (const call of await ended) expect(call).toEqual({ status: 'rejected', reason })
    const late = AbortSignal.timeout(20)
    const timed = await store.getItem(ASK, { abortSignal: late }).catch((error: unknown) => error)
    expect(timed).toBe(late.reason)
    store.destroy()
    server.closeAllConnections()
  })

  it('an aborted call leaves its connection', async () => {
    const { endpoint } = await serving(false)
    const store = dynamodb({ ...ANYWHERE, endpoint })
    const aborting = new AbortController()
    const call = store.getItem(ASK, { abortSignal: aborting.signal })
    setTimeout(() => aborting.abort(), 20)
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    store.destroy()
    server.closeAllConnections()
  })
})

describe('a graph whose client has too few sockets', () => {
  it('a request that waited in vain for a socket is sent again, because it was never sent', async () => {
    const slow = wrap(memory(), async (operation, request, options, send) => {
      if (operation === 'updateItem') await new Promise(resolve => setTimeout(resolve, 200))
      return send(request, options)
    })
    const { url, close } = await serve(slow, { port: 0 })
    const requestHandler = { connectionTimeout: 100, httpAgent: { keepAlive: true, maxSockets: 1 } }
    const store = dynamodb({ ...ANYWHERE, endpoint: url, requestHandler })
    const sums = graph('sums', [node('sum', { id: string(), n: integer() }, { id: 'id' })])
    const g = await open(sums, store, { create: true })
    await g.sum.create({ id: 'a', n: 0 })
    await Promise.all([1, 2, 3, 4].map(() => g.sum.update('a', { n: add(1) })))
    expect((await g.sum.get('a'))?.n).toBe(4)
    store.destroy()
    await close()
  })
})

describe('a graph without a reachable endpoint', () => {
  const things = graph('things', [node('thing', { id: string() }, { id: 'id' })])
  const retry = { attempts: 2, baseDelayMs: 1 }

  it('an unreachable endpoint is reported with advice', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise(closed => server.close(closed))
    const store = dynamodb({ ...ANYWHERE, endpoint: `http://127.0.0.1:${port}` })
    await expect(open(things, store, { retry })).rejects.toMatchObject({
      code: 'store.absent',
      message: `store: cannot connect to DynamoDB (connect ECONNREFUSED 127.0.0.1:${port}); check that it is running and that 'endpoint' is correct.`,
    })
  })

  it('every address of an unreachable endpoint is reported', async () => {
    const errors = ['::1', '127.0.0.1'].map(host => new Error(`connect ECONNREFUSED ${host}:8000`))
    const refused = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' })
    const store = wrap(dynamodb(ANYWHERE), () => Promise.reject(refused))
    await expect(open(things, store, { retry })).rejects.toThrow(
      'DynamoDB (Error: connect ECONNREFUSED ::1:8000,Error: connect ECONNREFUSED 127.0.0.1:8000); check',
    )
  })

  it('a graph writes again as soon as its endpoint is reachable', async () => {
    const inner = memory()
    let away = 3
    const store = wrap(inner, async (operation, request, options, send) => {
      if (operation !== 'updateItem' || away-- <= 0) return send(request, options)
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    })
    const counts = graph('counts', [node('thing', { id: string(), n: integer() }, { id: 'id' })])
    const g = await open(counts, store, { create: true, retry: { baseDelayMs: 1 } })
    await g.thing.create({ id: 'a', n: 1 })
    await g.thing.update('a', { n: add(1) })
    expect(await g.thing.get('a')).toEqual({ id: 'a', n: 2 })
  })
})

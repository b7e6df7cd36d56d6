import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import type { Store } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'
import { call, SIGNED } from '../raw-requests.js'

/** A store in which every call waits until the test releases it. */
function held(): { store: Store; letGo: () => void; waiting: () => number } {
  let letGo = () => {}
  const gate = new Promise<void>(resolve => {
    letGo = resolve
  })
  let waiting = 0
  const store = wrap(memory(), async (_operation, request, options, send) => {
    waiting++
    await gate
    return send(request, options)
  })
  return { store, letGo: () => letGo(), waiting: () => waiting }
}

/** Changes a request so that Node's server handles it. */
const NOT_SIMPLE = { 'accept-encoding': 'gzip' }

describe('closing an endpoint', () => {
  it.each([{}, NOT_SIMPLE])('closing completes requests in progress and accepts no more: %j', async headers => {
    const { store, letGo, waiting } = held()
    const serving = await serve(store, { port: 0 })
    const calls = Array.from({ length: 20 }, () => call(serving.url, 'ListTables', {}, headers))
    while (waiting() < calls.length) await sleep(5)
    const closed = serving.close()
    await expect(call(serving.url, 'ListTables', {})).rejects.toThrow(/ECONNREFUSED/)
    letGo()
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(calls.map(() => '{"TableNames":[]}'))
    const answered = Date.now()
    await closed
    expect(Date.now() - answered).toBeLessThan(2000)
  })

  it.each([{}, NOT_SIMPLE])('closing does not wait for idle connections: %j', async more => {
    const serving = await serve(memory(), { port: 0 })
    const client = new Client(serving.url)
    const headers = {
      ...more,
      ...SIGNED,
      'content-type': 'application/json',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    }
    const answer = await client.request({ path: '/', method: 'POST', headers, body: '{}' })
    await answer.body.dump()
    const start = Date.now()
    await serving.close()
    expect(Date.now() - start).toBeLessThan(2000)
    await client.destroy()
  })

  it.each([{}, NOT_SIMPLE])('closing aborts requests that exceed the stop time: %j', async headers => {
    const { store, letGo, waiting } = held()
    const serving = await serve(store, { port: 0, stopMs: 100 })
    const pending = call(serving.url, 'ListTables', {}, headers)
    const refused = expect(pending).rejects.toThrow()
    while (waiting() === 0) await sleep(5)
    await serving.close()
    await refused
    letGo()
  })

  it('close() can be called twice', async () => {
    const serving = await serve(memory(), { port: 0 })
    await Promise.all([serving.close(), serving.close()])
    await serving.close()
    await expect(call(serving.url, 'ListTables', {})).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('listening of an endpoint', () => {
  it('listening on a used port is rejected', async () => {
    const serving = await serve(memory(), { port: 0 })
    await expect(serve(memory(), { port: serving.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await serving.close()
  })

  it('an endpoint listens only on this machine by default', async () => {
    const serving = await serve(memory(), { port: 0 })
    expect(serving.url).toBe(`http://127.0.0.1:${serving.port}`)
    await serving.close()
    const wide = await serve(memory(), { port: 0, host: '::' })
    expect(wide.url).toBe(`http://[::]:${wide.port}`)
    await wide.close()
  })
})

import { open, wrap } from 'edgewise'
import { memory } from 'edgewise/engine'
import { expect, it, vi } from 'vitest'
import { answerTo } from '../../../examples/social/api.js'
import { social } from '../../../examples/social/graph.js'
import { handlerOn } from '../../../examples/social/lambda.js'
import { throughServer } from './entry-points.js'

/** A store that fails with errors of this name after `isFailing` is set. */
function failing(name: string) {
  const state = { isFailing: false }
  const store = wrap(memory(), async (_, request, options, send) => {
    if (state.isFailing) throw Object.assign(new Error('from the inside'), { name })
    return send(request, options)
  })
  return { state, store }
}

async function answeredUnder(name: string) {
  const { state, store } = failing(name)
  const g = await open(social, store, { create: true, retry: { attempts: 2, baseDelayMs: 1 } })
  state.isFailing = true
  const log = vi.fn()
  const request = { method: 'GET', path: '/users/ann', query: {}, headers: {}, body: undefined }
  return { ...(await answerTo(g, request, log)), log }
}

it('a throttled store makes the API ask the client to retry', async () => {
  const { status, headers } = await answeredUnder('ProvisionedThroughputExceededException')
  expect(status).toBe(503)
  expect(headers['retry-after']).toBe('1')
})

it('an error that the client cannot fix is logged and not returned', async () => {
  const { status, body, log } = await answeredUnder('AccessDeniedException')
  expect(status).toBe(500)
  expect(body).not.toContain('inside')
  expect(String(log.mock.calls[0]![0])).toContain('inside')
})

it('a function that failed to open its table retries with the next event', async () => {
  const { state, store } = failing('AccessDeniedException')
  await open(social, store, { create: true })
  const handler = handlerOn(() => store, 'social')
  const event = {
    rawPath: '/users/ann',
    headers: {},
    isBase64Encoded: false,
    requestContext: { http: { method: 'GET' } },
  }
  state.isFailing = true
  await expect(handler(event)).rejects.toThrow('inside')
  state.isFailing = false
  expect((await handler(event)).statusCode).toBe(404)
})

it('a body that is too large is rejected', async () => {
  const door = await throughServer(memory())
  const body = { handle: 'ann', email: 'ann@example.com', name: 'a'.repeat(70_000) }
  expect((await door.ask('POST', '/users', { body })).status).toBe(413)
  await door.close()
})

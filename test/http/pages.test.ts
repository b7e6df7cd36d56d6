import { expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { type ServeOptions, serve } from '../../src/http/index.js'
import { send } from './raw-requests.js'

async function page(path: string, options: ServeOptions) {
  const serving = await serve(memory(), { port: 0, ...options })
  const { status, text, headers } = await send(serving.url, { method: 'GET', path })
  await serving.close()
  return { status, text, type: headers['content-type'] }
}

const pages = { '/heat': async () => ({ bytes: Uint8Array.of(1, 2) }) }

it('a page is sent as JSON', async () => {
  expect(await page('/heat', { pages })).toEqual({
    status: 200,
    text: '{"bytes":"AQI="}',
    type: 'application/json',
  })
})

it('a path without a page is not found, even if it names a member of every object', async () => {
  for (const path of ['/cold', '/toString', '/heat/']) expect((await page(path, { pages })).status).toBe(404)
})

it('a page that fails is a server error with details only for onError', async () => {
  const failures: unknown[] = []
  const fault = new Error('secret')
  const failing = { '/heat': () => Promise.reject(fault) }
  const { status, text } = await page('/heat', { pages: failing, onFailure: error => failures.push(error) })
  expect([status, failures]).toEqual([500, [fault]])
  expect(text).not.toContain('secret')
})

it('an endpoint that requires signatures has no pages', async () => {
  const credentials = [{ accessKeyId: 'key', secretAccessKey: 'secret' }]
  expect((await page('/heat', { pages, credentials })).status).toBe(404)
})

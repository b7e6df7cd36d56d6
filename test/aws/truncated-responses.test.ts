import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { graph, integer, node, open, string } from '../../src/index.js'
import { ANYWHERE } from './stub-handler.js'

const sums = graph('sums', [node('sum', { id: string(), n: integer() }, { id: 'id' })])

/** The faults of responses to writes in a proxy; the requests themselves are carried out. */
const CUTS: Record<string, (response: ServerResponse, answer: Buffer) => unknown> = {
  'ends before its last byte': (response, answer) => response.end(answer.subarray(0, -1)),
  'is shorter than it said': (response, answer) => {
    response.setHeader('content-length', answer.length + 1)
    response.write(answer, () => response.destroy())
  },
  'is a page of the proxy': response => response.end('<html>try later</html>'),
}

test.each(Object.keys(CUTS))('the outcome of a write is determined if its response %s', async how => {
  const { url, close } = await serve(memory(), { port: 0 })
  let cuts = 0
  const proxy = createServer(async (request, response) => {
    const { 'x-amz-target': target = '', 'x-amz-date': date = '', authorization = '' } = request.headers
    const type = 'application/x-amz-json-1.0'
    const headers = { 'content-type': type, 'x-amz-target': String(target), 'x-amz-date': String(date), authorization }
    const body = Buffer.concat(await request.toArray())
    const answered = await fetch(url, { method: 'POST', headers, body })
    const answer = Buffer.from(await answered.arrayBuffer())
    response.statusCode = answered.status
    if (!/PutItem|UpdateItem/.test(String(target)) || cuts-- <= 0) response.end(answer)
    else CUTS[how]!(response, answer)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const store = dynamodb({ ...ANYWHERE, endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
  const g = await open(sums, store, { create: true })
  cuts = 1
  await g.sum.create({ id: 'a', n: 1 })
  cuts = 1
  await g.sum.update('a', { n: 2 })
  expect(cuts).toBe(0)
  expect(await g.sum.get('a')).toEqual({ id: 'a', n: 2 })
  store.destroy()
  proxy.close()
  proxy.closeAllConnections()
  await close()
})

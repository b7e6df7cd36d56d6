import { expect, it } from 'vitest'
import { type Client, idOf } from './client.js'

export function testRefusals(client: Client): void {
  it.each([
    ['POST', '/users', '{"handle":', 400, 'request.body'],
    ['POST', '/users', '[]', 400, 'request.body'],
    ['POST', '/users', { handle: 'zoe', email: 'zoe@example.com', name: 'Zoe', followers: 9 }, 400, 'request.body'],
    ['POST', '/users', { handle: 'Zoe!', email: 'zoe@example.com', name: 'Zoe' }, 400, 'value.check'],
    ['POST', '/users', { handle: 'zoe', name: 'Zoe' }, 400, 'write.missing'],
    ['PUT', '/posts/1', { author: 'ann', text: 'hello' }, 400, 'value.ulid'],
    ['PUT', `/posts/${idOf(99)}`, { author: 'ann', text: ' ' }, 400, 'value.check'],
    ['PUT', `/posts/${idOf(99)}`, { author: 'nobody', text: 'hello' }, 404, 'edge.end.absent'],
    ['PATCH', '/users/nobody', { name: 'Nobody' }, 404, 'write.absent'],
    ['GET', '/users/ann/feed?limit=0', undefined, 400, 'request.limit'],
    ['GET', '/users/ann/feed?cursor=x', undefined, 400, 'cursor.invalid'],
    ['GET', '/users/%', undefined, 400, 'request.path'],
    ['GET', '/nothing', undefined, 404, 'request.path'],
    ['DELETE', '/users', undefined, 405, 'request.method'],
  ])('an invalid request is rejected: %s %s %j returns %i, %s', async (method, path, body, status, code) => {
    expect(await client.ask(method, path, { body })).toMatchObject({ status, content: { code } })
  })
}

import { expect, it } from 'vitest'
import type { Client } from './client.js'

export function testUsers(client: Client): void {
  it('a new user is found by handle and has counters of zero', async () => {
    const { status, headers, content } = await client.ask('GET', '/users/ann')
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"[^"]+"$/)
    expect(content).toMatchObject({ handle: 'ann', name: 'ANN', followers: 0, following: 0, posts: 0 })
  })

  it('a handle and an email address belong to one user only', async () => {
    expect(await client.signUp('ann')).toMatchObject({ status: 409, content: { code: 'write.exists' } })
    const again = { handle: 'ann2', email: 'ann@example.com', name: 'Ann' }
    expect(await client.ask('POST', '/users', { body: again })).toMatchObject({
      status: 409,
      content: { code: 'unique.taken' },
    })
    expect((await client.ask('GET', '/users/ann2')).status).toBe(404)
  })

  it('another user can take a released email address', async () => {
    await client.signUp('old')
    await client.ask('PATCH', '/users/old', { body: { email: 'new@example.com' } })
    const body = { handle: 'next', email: 'old@example.com', name: 'Next' }
    expect((await client.ask('POST', '/users', { body })).status).toBe(201)
  })

  it('a change with a stale etag is rejected', async () => {
    const { headers } = await client.ask('GET', '/users/eve')
    const change = (name: string) =>
      client.ask('PATCH', '/users/eve', { body: { name }, headers: { 'if-match': headers.etag! } })
    expect(await change('Eva')).toMatchObject({ status: 200, content: { name: 'Eva' } })
    expect(await change('Evita')).toMatchObject({ status: 412, content: { code: 'write.condition' } })
  })

  it('a follow is counted once at each end and found from both', async () => {
    for (let i = 0; i < 2; i++) expect((await client.ask('PUT', '/users/bob/following/ann')).status).toBe(204)
    await client.becomes(() => client.userOf('ann'), { followers: 1 })
    await client.becomes(() => client.userOf('bob'), { following: 1 })
    const both = [{ follower: 'bob', followerName: 'BOB', followee: 'ann', followeeName: 'ANN' }]
    expect((await client.listed('/users/bob/following')).items).toMatchObject(both)
    expect((await client.listed('/users/ann/followers')).items).toMatchObject(both)
  })

  it('a renamed user has the new name in every list', async () => {
    await client.ask('PATCH', '/users/ann', { body: { name: 'Anna' } })
    const named = { items: [{ followeeName: 'Anna' }] }
    await client.becomes(() => client.listed('/users/bob/following'), named)
    await client.becomes(() => client.listed('/users/ann/followers'), named)
  })

  it('a missing user cannot be followed, and users cannot follow themselves', async () => {
    expect(await client.ask('PUT', '/users/bob/following/nobody')).toMatchObject({
      status: 404,
      content: { code: 'edge.carry.absent' },
    })
    expect((await client.ask('PUT', '/users/bob/following/bob')).status).toBe(400)
    expect(await client.userOf('bob')).toMatchObject({ following: 1 })
  })
}

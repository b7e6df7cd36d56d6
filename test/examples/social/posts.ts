import { expect, it } from 'vitest'
import { type Client, idOf } from './client.js'

export function testPosts(client: Client): void {
  it('a repeated post is stored once, and a different text with the same id is rejected', async () => {
    for (let i = 0; i < 2; i++) expect((await client.publish(1, 'ann')).status).toBe(201)
    expect(await client.userOf('ann')).toMatchObject({ posts: 1 })
    expect(await client.publish(1, 'ann', 'something else')).toMatchObject({
      status: 409,
      content: { code: 'write.token' },
    })
    expect(await client.ask('GET', `/posts/${idOf(1)}`)).toMatchObject({ status: 200, content: { text: 'number 1' } })
  })

  it('a post is only in the feeds of the author and the followers', async () => {
    const texts = async (handle: string) => (await client.listed(`/users/${handle}/feed`)).items.map(({ text }) => text)
    expect([await texts('ann'), await texts('bob'), await texts('eve')]).toEqual([['number 1'], ['number 1'], []])
  })

  it('a feed returns the latest posts first, page by page, each post once', async () => {
    for (let number = 2; number <= 7; number++) await client.publish(number, 'ann')
    const texts: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await client.listed(
        `/users/bob/feed?limit=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      )
      expect(page.items.length).toBeLessThanOrEqual(3)
      texts.push(...page.items.map(({ text }) => text))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(texts).toEqual([7, 6, 5, 4, 3, 2, 1].map(number => `number ${number}`))
  })

  it('a cursor works only for its own list', async () => {
    const { cursor } = await client.listed('/users/bob/feed?limit=3')
    const given = await client.ask('GET', `/users/ann/feed?cursor=${encodeURIComponent(cursor!)}`)
    expect(given).toMatchObject({ status: 400, content: { code: 'cursor.mismatch' } })
  })
}

export function testLikes(client: Client): void {
  it('a like is counted once and can be removed', async () => {
    for (let i = 0; i < 2; i++) await client.ask('PUT', `/posts/${idOf(2)}/likes/bob`)
    await client.becomes(() => client.postOf(2), { likes: 1 })
    expect((await client.listed(`/posts/${idOf(2)}/likes`)).items).toMatchObject([{ user: 'bob' }])
    for (let i = 0; i < 2; i++) await client.ask('DELETE', `/posts/${idOf(2)}/likes/bob`)
    await client.becomes(() => client.postOf(2), { likes: 0 })
  })

  it('concurrent likes are all counted', async () => {
    const handles = Array.from({ length: 6 }, (_, i) => `fan${i}`)
    await Promise.all(handles.map(client.signUp))
    const answers = await Promise.all(handles.map(handle => client.ask('PUT', `/posts/${idOf(3)}/likes/${handle}`)))
    expect(answers.map(({ status }) => status)).toEqual(handles.map(() => 204))
    await client.becomes(() => client.postOf(3), { likes: 6 })
  })

  it('a deleted post disappears from all lists with its likes', async () => {
    expect((await client.ask('DELETE', `/posts/${idOf(3)}`)).status).toBe(204)
    expect((await client.ask('GET', `/posts/${idOf(3)}`)).status).toBe(404)
    expect((await client.listed(`/posts/${idOf(3)}/likes`)).items).toEqual([])
    expect((await client.listed('/users/ann/posts')).items.map(({ id }) => id)).not.toContain(idOf(3))
    expect((await client.listed('/users/bob/feed')).items.map(({ id }) => id)).not.toContain(idOf(3))
    expect(await client.userOf('ann')).toMatchObject({ posts: 6 })
  })

  it('deleting a user deletes the follows, likes and posts', async () => {
    await client.signUp('guest')
    await client.ask('PUT', '/users/guest/following/ann')
    await client.ask('PUT', `/posts/${idOf(2)}/likes/guest`)
    await client.publish(90, 'guest')
    await client.becomes(() => client.userOf('ann'), { followers: 2 })
    await client.becomes(() => client.postOf(2), { likes: 1 })
    expect((await client.ask('DELETE', '/users/guest')).status).toBe(204)
    await client.becomes(() => client.userOf('ann'), { followers: 1 })
    await client.becomes(() => client.postOf(2), { likes: 0 })
    expect((await client.ask('GET', `/posts/${idOf(90)}`)).status).toBe(404)
  })
}

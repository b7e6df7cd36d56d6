import { GraphError } from 'edgewise'
import type { Social } from './graph.js'

const DAY_MS = 86_400_000
const FEED_DAYS = 30
const FOLLOWERS_AT_ONCE = 500

export interface Asked {
  readonly limit: number
  readonly cursor: string | undefined
}

export interface NewPost {
  readonly id: string
  readonly author: string
  readonly text: string
}

/** Writes a post and adds it to the feeds of the author and all followers. A repetition completes missing writes. */
export async function publish(g: Social, { id, author, text }: NewPost): Promise<void> {
  await g.$transact([g.post.create({ id, author, text }), g.wrote.create({ author, post: id })], {
    token: `post ${id}`,
  })
  await deliver(g, id, [author])
  let cursor: string | undefined
  do {
    const page = await g.follow.by.followee(author).page({ limit: FOLLOWERS_AT_ONCE, cursor })
    const followers = page.items.map(({ follower }) => follower)
    await deliver(g, id, followers)
    cursor = page.cursor
  } while (cursor !== undefined)
}

async function deliver(g: Social, post: string, readers: readonly string[]): Promise<void> {
  const until = new Date(Date.now() + FEED_DAYS * DAY_MS)
  await g.$batch(readers.map(reader => g.feed.put({ reader, post, until })))
}

/** Returns the posts in a user's feed, the latest first, without deleted posts. */
export async function feedOf(g: Social, reader: string, asked: Asked) {
  return await g.feed.by.reader(reader).reverse().nodes().page(asked)
}

export async function postsOf(g: Social, author: string, asked: Asked) {
  return await g.wrote.by.author(author).reverse().nodes().page(asked)
}

/** Deletes a user with all posts, follows and likes. Repeat the call if it was interrupted. */
export async function leave(g: Social, handle: string): Promise<void> {
  for await (const { post } of g.wrote.by.author(handle)) await g.post.delete(post)
  await g.user.delete(handle)
}

/** Creates an edge, or leaves an existing edge unchanged. */
export async function onceOnly(create: Promise<void>): Promise<void> {
  await create.catch(error => {
    if (!(error instanceof GraphError && error.code === 'write.exists')) throw error
  })
}

import { authorsOf, namesOf } from './lookups.js'
import type { Ask } from './queries.js'

/** IS1: a person, and the city where the person lives, read concurrently. */
export async function is1({ g, meter }: Ask, { person }: { person: number }) {
  const { node, city } = await meter.take(g.person.collect(person, { city: g.livesIn.by.person }))
  if (!node) return undefined
  const { firstName, lastName, birthday, locationIp, browser, gender, created } = node
  return { firstName, lastName, birthday, locationIp, browser, city: city[0]?.city, gender, created }
}

/** IS2: the last ten messages of a person, and the authors of the posts that their conversations began with. */
export async function is2({ g, meter }: Ask, { person }: { person: number }) {
  const latest = await meter.take(g.wrote.by.author(person).reverse().limit(10).all())
  const [first, ...rest] = latest.map(({ message }) => message)
  if (first === undefined) return []
  const threads = await meter.take(
    g.message
      .from(first, ...rest)
      .hop(g.inThread.by.message)
      .edges(),
  )
  const postOf = new Map(threads.map(({ message, post }) => [message, post]))
  const authors = await authorsOf({ g, meter }, [...postOf.values()])
  const names = await namesOf({ g, meter }, [...authors.values()])
  return latest.map(({ message, content, created }) => {
    const post = postOf.get(message)!
    const author = authors.get(post)!
    return { message, content, created, post, author, ...names.get(author)! }
  })
}

/** IS3: the friends of a person, the latest first. */
export async function is3({ g, meter }: Ask, { person }: { person: number }) {
  const friends = await meter.take(g.knows.by.one(person).withNodes().all())
  return friends
    .map(({ edge: { other, since }, node }) => ({
      friend: other,
      firstName: node!.firstName,
      lastName: node!.lastName,
      since,
    }))
    .sort((a, b) => b.since.getTime() - a.since.getTime() || a.friend - b.friend)
}

/** IS4: the content of a message. */
export async function is4({ g, meter }: Ask, { message }: { message: number }) {
  const found = await meter.take(g.message.get(message))
  return found && { created: found.created, content: found.content }
}

/** IS5: the author of a message. */
export async function is5({ g, meter }: Ask, { message }: { message: number }) {
  const [author] = await meter.take(g.message.from(message).hop(g.wrote.by.message).nodes())
  return author && { author: author.id, firstName: author.firstName, lastName: author.lastName }
}

/** IS6: the forum of the post that a conversation began with, and its moderator. */
export async function is6({ g, meter }: Ask, { message }: { message: number }) {
  const forums = g.message.from(message).hop(g.inThread.by.message).hop(g.contains.by.post)
  const [found] = await meter.take(forums.hop(g.moderates.by.forum).edges())
  if (!found) return undefined
  const [forum, names] = await Promise.all([
    meter.take(g.forum.get(found.forum)),
    namesOf({ g, meter }, [found.moderator]),
  ])
  return { forum: found.forum, title: forum!.title, moderator: found.moderator, ...names.get(found.moderator)! }
}

/** IS7: the replies to a message, and whether their authors know the author of the message. */
export async function is7({ g, meter }: Ask, { message }: { message: number }) {
  const replies = await meter.take(g.replyOf.by.parent(message).all())
  if (replies.length === 0) return []
  const authors = await authorsOf({ g, meter }, [message, ...replies.map(({ reply }) => reply)])
  const author = authors.get(message)!
  const others = [...new Set(authors.values())].filter(id => id !== author)
  const [edges, names] = await Promise.all([
    meter.take(g.knows.many(others.map(other => ({ one: author, other })))),
    namesOf({ g, meter }, [...authors.values()]),
  ])
  const known = new Set(others.filter((_, i) => edges[i]))
  return replies
    .map(({ reply, content, created }) => {
      const by = authors.get(reply)!
      return { comment: reply, content, created, author: by, ...names.get(by)!, knows: known.has(by) }
    })
    .sort((a, b) => b.created.getTime() - a.created.getTime() || a.author - b.author)
}

import { citiesOf, namesOf, placesOf } from './lookups.js'
import { type Ask, BUDGET } from './queries.js'

/** The number of rows in most results. */
const ROWS = 20

/**
 * IC1: people with a first name within three steps, the nearest first. The people of that name are one Query, so nobody
 * on the way has to be read.
 */
export async function ic1({ g, meter }: Ask, { person, firstName }: { person: number; firstName: string }) {
  const within = g.person.from(person).repeat(g.knows.by.one, { depth: 3 }).budget(BUDGET)
  const [named, reached] = await Promise.all([
    meter.take(g.person.by.firstName({ firstName }).all()),
    meter.take(within.subtree()),
  ])
  const distances = new Map(reached.map(({ id, depth }) => [id, depth]))
  const found = named
    .flatMap(({ id, lastName }) => {
      const distance = distances.get(id)
      return distance ? [{ id, lastName, distance }] : []
    })
    .sort((a, b) => a.distance - b.distance || compare(a.lastName, b.lastName) || a.id - b.id)
    .slice(0, ROWS)
  const [first, ...rest] = found.map(({ id }) => id)
  if (first === undefined) return []
  const all = g.person.from(first, ...rest)
  const [cities, studies, jobs] = await Promise.all([
    citiesOf({ g, meter }, [first, ...rest]),
    meter.take(all.hop(g.studyAt.by.person).edges()),
    meter.take(all.hop(g.workAt.by.person).edges()),
  ])
  const organisations = await organisationsOf({ g, meter }, [
    ...studies.map(({ university }) => university),
    ...jobs.map(({ company }) => company),
  ])
  return found.map(({ id, lastName, distance }) => ({
    person: id,
    lastName,
    distance,
    city: cities.get(id),
    studies: studies
      .filter(each => each.person === id)
      .map(({ university, classYear }) => ({ ...organisations.get(university)!, year: classYear })),
    jobs: jobs
      .filter(each => each.person === id)
      .map(({ company, from }) => ({ ...organisations.get(company)!, year: from }))
      .sort((a, b) => a.year - b.year || compare(a.name, b.name)),
  }))
}

/** The names of organisations and of the places that they are in. */
async function organisationsOf({ g, meter }: Ask, organisations: readonly number[]) {
  const ids = [...new Set(organisations)]
  const [first, ...rest] = ids
  if (first === undefined) return new Map<number, { name: string; place: string }>()
  const [rows, located] = await Promise.all([
    meter.take(g.organisation.many(ids)),
    meter.take(
      g.organisation
        .from(first, ...rest)
        .hop(g.locatedIn.by.organisation)
        .edges(),
    ),
  ])
  const places = await placesOf(
    { g, meter },
    located.map(({ place }) => place),
  )
  const placeOf = new Map(located.map(({ organisation, place }) => [organisation, places.get(place)!]))
  return new Map(rows.flatMap(row => (row ? [[row.id, { name: row.name, place: placeOf.get(row.id)! }]] : [])))
}

/** IC2: the latest messages of friends, up to a day. Of each friend 20 are enough, and the limit merges them. */
export async function ic2({ g, meter }: Ask, { person, until }: { person: number; until: Date }) {
  const friends = g.person.from(person).hop(g.knows.by.one).budget(BUDGET)
  const messages = await meter.take(
    friends
      .hop(g.wrote.by.author, read =>
        read
          .where({ created: { to: until } })
          .reverse()
          .limit(ROWS),
      )
      .limit(ROWS)
      .edges(),
  )
  return withAuthors({ g, meter }, messages)
}

/** IC9: the latest messages of friends and of their friends, before a day. */
export async function ic9({ g, meter }: Ask, { person, before }: { person: number; before: Date }) {
  const around = g.person.from(person).repeat(g.knows.by.one, { depth: 2 }).budget(BUDGET)
  const to = new Date(before.getTime() - 1)
  const messages = await meter.take(
    around
      .hop(g.wrote.by.author, read => read.where({ created: { to } }).reverse().limit(ROWS))
      .limit(ROWS)
      .edges(),
  )
  return withAuthors({ g, meter }, messages)
}

interface Written {
  readonly author: number
  readonly message: number
  readonly content: string
  readonly created: Date
}

async function withAuthors(ask: Ask, latest: readonly Written[]) {
  const names = await namesOf(
    ask,
    latest.map(({ author }) => author),
  )
  return latest.map(({ author, message, content, created }) => ({
    author,
    ...names.get(author)!,
    message,
    content,
    created,
  }))
}

/** IC4: tags of friends' posts within some days that none of their earlier posts had. */
export async function ic4({ g, meter }: Ask, { person, from, days }: { person: number; from: Date; days: number }) {
  const end = new Date(from.getTime() + days * 86_400_000 - 1)
  const friends = g.person.from(person).hop(g.knows.by.one).budget(BUDGET)
  const posts = await meter.take(
    friends
      .hop(g.wrote.by.author, read => read.where({ created: { to: end } }).filter(each => each.kind.is('post')))
      .edges(),
  )
  const old = new Set(posts.filter(({ created }) => created < from).flatMap(({ tags }) => tags))
  const counts = new Map<number, number>()
  for (const { created, tags } of posts)
    if (created >= from) for (const tag of tags) if (!old.has(tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const names = await tagNames({ g, meter }, [...counts.keys()])
  return [...counts]
    .map(([tag, posts]) => ({ tag: names.get(tag)!, posts }))
    .sort((a, b) => b.posts - a.posts || compare(a.tag, b.tag))
    .slice(0, 10)
}

/** IC7: the people who liked messages of a person, each by the latest like. */
export async function ic7({ g, meter }: Ask, { person }: { person: number }) {
  const own = g.person.from(person).hop(g.wrote.by.author).budget(BUDGET)
  const [messages, likes, friends] = await Promise.all([
    meter.take(g.wrote.by.author(person).all()),
    meter.take(own.hop(g.likes.by.message).edges()),
    meter.take(g.person.from(person).hop(g.knows.by.one).budget(BUDGET).ids()),
  ])
  const written = new Map(messages.map(each => [each.message, each]))
  const latest = new Map<number, (typeof likes)[number]>()
  for (const like of likes) {
    const last = latest.get(like.person)
    const isLater = !last || like.created > last.created
    const isSame = last && like.created.getTime() === last.created.getTime() && like.message < last.message
    if (isLater || isSame) latest.set(like.person, like)
  }
  const top = [...latest.values()]
    .sort((a, b) => b.created.getTime() - a.created.getTime() || a.person - b.person)
    .slice(0, ROWS)
  const names = await namesOf(
    { g, meter },
    top.map(each => each.person),
  )
  return top.map(({ person: fan, message, created }) => ({
    person: fan,
    ...names.get(fan)!,
    liked: created,
    message,
    content: written.get(message)!.content,
    minutes: Math.floor((created.getTime() - written.get(message)!.created.getTime()) / 60_000),
    isNew: !friends.includes(fan),
  }))
}

async function tagNames({ g, meter }: Ask, tags: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(tags)]
  const rows = ids.length > 0 ? await meter.take(g.tag.many(ids)) : []
  return new Map(rows.flatMap(row => (row ? [[row.id, row.name]] : [])))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

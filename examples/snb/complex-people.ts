import { authorsOf, citiesOf, namesOf } from './lookups.js'
import { type Ask, BUDGET } from './queries.js'

/** IC8: the latest direct replies to the messages of a person. */
export async function ic8({ g, meter }: Ask, { person }: { person: number }) {
  const own = g.person.from(person).hop(g.wrote.by.author).budget(BUDGET)
  const replies = await meter.take(own.hop(g.replyOf.by.parent, read => read.reverse().limit(20)).edges())
  const latest = replies.toSorted((a, b) => b.created.getTime() - a.created.getTime() || a.reply - b.reply).slice(0, 20)
  const authors = await authorsOf(
    { g, meter },
    latest.map(({ reply }) => reply),
  )
  const names = await namesOf({ g, meter }, [...authors.values()])
  return latest.map(({ reply, content, created }) => {
    const author = authors.get(reply)!
    return { author, ...names.get(author)!, comment: reply, content, created }
  })
}

/**
 * IC10: friends of friends who were born from the 21st of a month to the 21st of the next, by how many of their posts
 * have a tag that the person is interested in, less those that have none.
 */
export async function ic10({ g, meter }: Ask, { person, month }: { person: number; month: number }) {
  const strangers = g.person.from(person).repeat(g.knows.by.one, { depth: 2, minDepth: 2 }).budget(BUDGET)
  const [people, interests] = await Promise.all([
    meter.take(strangers.nodes()),
    meter.take(g.hasInterest.by.person(person).all()),
  ])
  const born = people.filter(({ birthday }) => isBorn(birthday, month))
  const [first, ...rest] = born.map(({ id }) => id)
  if (first === undefined) return []
  const likes = new Set(interests.map(({ tag }) => tag))
  const posts = await meter.take(
    g.person
      .from(first, ...rest)
      .hop(g.wrote.by.author, read => read.filter(each => each.kind.is('post')))
      .budget(BUDGET)
      .edges(),
  )
  const scores = new Map(born.map(({ id }) => [id, 0]))
  for (const { author, tags } of posts) {
    const isCommon = tags.some(tag => likes.has(tag))
    scores.set(author, scores.get(author)! + (isCommon ? 1 : -1))
  }
  const top = born
    .map(({ id, firstName, lastName, gender }) => ({ id, firstName, lastName, gender, score: scores.get(id)! }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, 10)
  const cities = await citiesOf(
    { g, meter },
    top.map(({ id }) => id),
  )
  return top.map(each => ({ ...each, city: cities.get(each.id)! }))
}

/** Whether somebody was born on the 21st of a month or later, and before the 22nd of the next. */
function isBorn(birthday: Date, month: number): boolean {
  const [at, day] = [birthday.getUTCMonth() + 1, birthday.getUTCDate()]
  return (at === month && day >= 21) || (at === (month % 12) + 1 && day < 22)
}

/** IC11: friends and their friends who began to work for a company in a country before a year. */
export async function ic11(
  { g, meter }: Ask,
  { person, country, before }: { person: number; country: string; before: number },
) {
  const around = g.person.from(person).repeat(g.knows.by.one, { depth: 2 }).budget(BUDGET)
  const [jobs, places] = await Promise.all([
    meter.take(around.hop(g.workAt.by.person, read => read.where({ from: { to: before - 1 } })).edges()),
    meter.take(g.place.by.name({ name: country }).all()),
  ])
  const [place] = places
  if (!place || jobs.length === 0) return []
  const local = await meter.take(g.place.from(place.id).hop(g.locatedIn.by.place).nodes())
  const companies = new Map(local.map(({ id, name }) => [id, name]))
  const found = jobs.filter(({ company }) => companies.has(company))
  const names = await namesOf(
    { g, meter },
    found.map(each => each.person),
  )
  return found
    .map(({ person: worker, company, from }) => ({
      person: worker,
      ...names.get(worker)!,
      company: companies.get(company)!,
      from,
    }))
    .sort((a, b) => a.from - b.from || a.person - b.person || (a.company < b.company ? 1 : -1))
    .slice(0, 10)
}

/** IC12: friends by the number of their direct comments on posts with a tag of a class, or of a class below it. */
export async function ic12({ g, meter }: Ask, { person, tagClass }: { person: number; tagClass: string }) {
  const friends = g.person.from(person).hop(g.knows.by.one).budget(BUDGET)
  const [[top], comments] = await Promise.all([
    meter.take(g.tagClass.by.name({ name: tagClass }).all()),
    meter.take(friends.hop(g.wrote.by.author, read => read.filter(each => each.kind.is('comment'))).edges()),
  ])
  if (!top || comments.length === 0) return []
  const classes = g.tagClass.from(top.id).repeat(g.subclassOf.by.parent, { depth: 20, minDepth: 0 })
  const [tags, parents] = await Promise.all([
    meter.take(classes.hop(g.hasType.by.tagClass).nodes()),
    meter.take(g.message.many([...new Set(comments.map(({ parent }) => parent!))])),
  ])
  const nameOf = new Map(tags.map(({ id, name }) => [id, name]))
  const posts = new Map(parents.flatMap(row => (row?.kind === 'post' ? [[row.id, row.tags]] : [])))
  const counts = new Map<number, { replies: number; readonly tags: Set<string> }>()
  for (const { author, parent } of comments) {
    const found = (posts.get(parent!) ?? []).flatMap(tag => nameOf.get(tag) ?? [])
    if (found.length === 0) continue
    const entry = counts.get(author) ?? { replies: 0, tags: new Set() }
    counts.set(author, entry)
    entry.replies++
    for (const name of found) entry.tags.add(name)
  }
  const names = await namesOf({ g, meter }, [...counts.keys()])
  return [...counts]
    .map(([friend, { replies, tags: own }]) => ({ friend, ...names.get(friend)!, tags: [...own].sort(), replies }))
    .sort((a, b) => b.replies - a.replies || a.friend - b.friend)
    .slice(0, 20)
}

/** IC13: the number of steps between two people, or -1 if no path joins them. */
export async function ic13({ g, meter }: Ask, { person, other }: { person: number; other: number }) {
  const route = await meter.take(
    g.person.shortestPath(person, other, g.knows.by.one, { maxDepth: 30, budget: { requests: 10_000 } }),
  )
  return route ? route.weight : -1
}

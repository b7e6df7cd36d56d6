import type { Message, Network, Person } from '../../../examples/snb/generate.js'
import type { ParametersOf, ReadName } from '../../../examples/snb/reads.js'

export type Answers = { readonly [Name in ReadName]: (given: ParametersOf<Name>) => unknown }

/** The rows of a network by what they are looked up by. */
class Indexed {
  readonly person: ReadonlyMap<number, Person>
  readonly message: ReadonlyMap<number, Message>
  readonly author: ReadonlyMap<number, number>
  readonly place: ReadonlyMap<number, string>
  private readonly byAuthor = new Map<number, Message[]>()
  private readonly friendships = new Map<number, Map<number, Date>>()

  constructor(readonly rows: Network) {
    this.person = new Map(rows.person.map(each => [each.id, each]))
    this.message = new Map(rows.message.map(each => [each.id, each]))
    this.author = new Map(rows.wrote.map(({ message, author }) => [message, author]))
    this.place = new Map(rows.place.map(({ id, name }) => [id, name]))
    for (const { message, author } of rows.wrote)
      this.byAuthor.set(author, [...(this.byAuthor.get(author) ?? []), this.message.get(message)!])
    for (const { one, other, since } of rows.knows)
      for (const [a, b] of [
        [one, other],
        [other, one],
      ] as const)
        this.friendships.set(a, (this.friendships.get(a) ?? new Map()).set(b, since))
  }

  friends(of: number): ReadonlyMap<number, Date> {
    return this.friendships.get(of) ?? new Map()
  }

  messages(of: number): readonly Message[] {
    return this.byAuthor.get(of) ?? []
  }

  names(id: number) {
    const { firstName, lastName } = this.person.get(id)!
    return { firstName, lastName }
  }

  city(id: number): string {
    return this.place.get(this.rows.livesIn.find(({ person }) => person === id)!.city)!
  }

  root(id: number): number {
    const { parent } = this.message.get(id)!
    return parent === undefined ? id : this.root(parent)
  }

  /** Everybody who can be reached, by distance. */
  distances(from: number): Map<number, number> {
    const found = new Map([[from, 0]])
    for (const [at, distance] of found)
      for (const friend of this.friends(at).keys()) if (!found.has(friend)) found.set(friend, distance + 1)
    return found
  }

  within(from: number, least: number, most: number): number[] {
    return [...this.distances(from)].filter(([, at]) => at >= least && at <= most).map(([id]) => id)
  }

  latest(authors: readonly number[], isMeant: (at: Date) => boolean) {
    return authors
      .flatMap(author => this.messages(author).map(message => ({ author, message })))
      .filter(({ message }) => isMeant(message.created))
      .sort((a, b) => Number(b.message.created) - Number(a.message.created) || a.message.id - b.message.id)
      .slice(0, 20)
      .map(({ author, message: { id, content, created } }) => ({
        author,
        ...this.names(author),
        message: id,
        content,
        created,
      }))
  }

  organisation(id: number) {
    const { name } = this.rows.organisation.find(each => each.id === id)!
    return { name, place: this.place.get(this.rows.locatedIn.find(each => each.organisation === id)!.place)! }
  }

  /** The names of the tags of a class and of all classes below it. */
  tagsBelow(tagClass: string): Map<number, string> {
    const classes = new Set([this.rows.tagClass.find(({ name }) => name === tagClass)!.id])
    for (const at of classes) for (const { sub, parent } of this.rows.subclassOf) if (parent === at) classes.add(sub)
    const tags = this.rows.hasType.filter(each => classes.has(each.tagClass)).map(({ tag }) => tag)
    return new Map(this.rows.tag.filter(({ id }) => tags.includes(id)).map(({ id, name }) => [id, name]))
  }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The answers as the benchmark defines them, computed from plain rows. */
export function modelOf(rows: Network): Answers {
  const all = new Indexed(rows)
  return { ...shortReads(all), ...socialReads(all), ...peopleReads(all) }
}

type ShortReads = 'IS1' | 'IS2' | 'IS3' | 'IS4' | 'IS5' | 'IS6' | 'IS7'
type SocialReads = 'IC1' | 'IC2' | 'IC4' | 'IC7'

function shortReads(all: Indexed): Pick<Answers, ShortReads> {
  const { rows } = all
  return {
    IS1: ({ person }) => {
      const { id: _, ...rest } = all.person.get(person)!
      return { ...rest, city: rows.livesIn.find(each => each.person === person)!.city }
    },
    IS2: ({ person }) =>
      all
        .messages(person)
        .toSorted((a, b) => Number(b.created) - Number(a.created) || b.id - a.id)
        .slice(0, 10)
        .map(({ id, content, created }) => {
          const post = all.root(id)
          const author = all.author.get(post)!
          return { message: id, content, created, post, author, ...all.names(author) }
        }),
    IS3: ({ person }) =>
      [...all.friends(person)]
        .map(([friend, since]) => ({ friend, ...all.names(friend), since }))
        .sort((a, b) => Number(b.since) - Number(a.since) || a.friend - b.friend),
    IS4: ({ message }) => {
      const { created, content } = all.message.get(message)!
      return { created, content }
    },
    IS5: ({ message }) => {
      const author = all.author.get(message)!
      return { author, ...all.names(author) }
    },
    IS6: ({ message }) => {
      const { forum } = rows.contains.find(({ post }) => post === all.root(message))!
      const { title } = rows.forum.find(({ id }) => id === forum)!
      const { moderator } = rows.moderates.find(each => each.forum === forum)!
      return { forum, title, moderator, ...all.names(moderator) }
    },
    IS7: ({ message }) =>
      rows.message
        .filter(({ parent }) => parent === message)
        .map(({ id, content, created }) => {
          const author = all.author.get(id)!
          const knows = all.friends(author).has(all.author.get(message)!)
          return { comment: id, content, created, author, ...all.names(author), knows }
        })
        .sort((a, b) => Number(b.created) - Number(a.created) || a.author - b.author),
  }
}

function socialReads(all: Indexed): Pick<Answers, SocialReads> {
  const { rows } = all
  return {
    IC1: ({ person, firstName }) =>
      [...all.distances(person)]
        .filter(([id, distance]) => distance >= 1 && distance <= 3 && all.person.get(id)!.firstName === firstName)
        .map(([id, distance]) => ({ person: id, lastName: all.person.get(id)!.lastName, distance }))
        .sort((a, b) => a.distance - b.distance || byText(a.lastName, b.lastName) || a.person - b.person)
        .slice(0, 20)
        .map(each => ({
          ...each,
          city: all.city(each.person),
          studies: rows.studyAt
            .filter(study => study.person === each.person)
            .map(({ university, classYear }) => ({ ...all.organisation(university), year: classYear })),
          jobs: rows.workAt
            .filter(job => job.person === each.person)
            .map(({ company, from }) => ({ ...all.organisation(company), year: from }))
            .sort((a, b) => a.year - b.year || byText(a.name, b.name)),
        })),
    IC2: ({ person, until }) => all.latest([...all.friends(person).keys()], at => at <= until),
    IC4: ({ person, from, days }) => {
      const end = new Date(Number(from) + days * 86_400_000)
      const posts = [...all.friends(person).keys()].flatMap(friend =>
        all.messages(friend).filter(({ kind }) => kind === 'post'),
      )
      const before = new Set(posts.filter(({ created }) => created < from).flatMap(({ tags }) => tags))
      return rows.tag
        .map(({ id, name }) => ({
          tag: name,
          posts: before.has(id)
            ? 0
            : posts.filter(({ created, tags }) => created >= from && created < end && tags.includes(id)).length,
        }))
        .filter(each => each.posts > 0)
        .sort((a, b) => b.posts - a.posts || byText(a.tag, b.tag))
        .slice(0, 10)
    },
    IC7: ({ person }) => {
      const likes = rows.likes
        .filter(({ message }) => all.author.get(message) === person)
        .toSorted((a, b) => Number(b.created) - Number(a.created) || a.message - b.message)
      const fans = new Set<number>()
      return likes
        .filter(({ person: fan }) => !fans.has(fan) && fans.add(fan))
        .toSorted((a, b) => Number(b.created) - Number(a.created) || a.person - b.person)
        .slice(0, 20)
        .map(({ person: fan, message, created }) => {
          const { content, created: written } = all.message.get(message)!
          return {
            person: fan,
            ...all.names(fan),
            liked: created,
            message,
            content,
            minutes: Math.floor((Number(created) - Number(written)) / 60_000),
            isNew: !all.friends(person).has(fan),
          }
        })
    },
  }
}

function peopleReads(all: Indexed): Omit<Answers, ShortReads | SocialReads> {
  const { rows } = all
  return {
    IC8: ({ person }) =>
      rows.message
        .filter(({ parent }) => parent !== undefined && all.author.get(parent) === person)
        .sort((a, b) => Number(b.created) - Number(a.created) || a.id - b.id)
        .slice(0, 20)
        .map(({ id, content, created }) => {
          const author = all.author.get(id)!
          return { author, ...all.names(author), comment: id, content, created }
        }),
    IC9: ({ person, before }) => all.latest(all.within(person, 1, 2), at => at < before),
    IC10: ({ person, month }) => {
      const interests = rows.hasInterest.filter(each => each.person === person).map(({ tag }) => tag)
      const next = (month % 12) + 1
      return all
        .within(person, 2, 2)
        .map(id => all.person.get(id)!)
        .filter(({ birthday }) => {
          const [at, day] = [birthday.getUTCMonth() + 1, birthday.getUTCDate()]
          return at === month ? day >= 21 : at === next && day < 22
        })
        .map(({ id, firstName, lastName, gender }) => {
          const posts = all.messages(id).filter(({ kind }) => kind === 'post')
          const common = posts.filter(({ tags }) => tags.some(tag => interests.includes(tag))).length
          return { id, firstName, lastName, gender, score: 2 * common - posts.length, city: all.city(id) }
        })
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, 10)
    },
    IC11: ({ person, country, before }) => {
      const around = all.within(person, 1, 2)
      return rows.workAt
        .filter(job => around.includes(job.person) && job.from < before)
        .filter(({ company }) => all.organisation(company).place === country)
        .map(job => ({
          person: job.person,
          ...all.names(job.person),
          company: all.organisation(job.company).name,
          from: job.from,
        }))
        .sort((a, b) => a.from - b.from || a.person - b.person || byText(b.company, a.company))
        .slice(0, 10)
    },
    IC12: ({ person, tagClass }) => {
      const tags = all.tagsBelow(tagClass)
      return [...all.friends(person).keys()]
        .map(friend => {
          const posts = all
            .messages(friend)
            .flatMap(({ parent }) => (parent === undefined ? [] : [all.message.get(parent)!]))
            .filter(post => post.kind === 'post' && post.tags.some(tag => tags.has(tag)))
          const names = new Set(posts.flatMap(post => post.tags.flatMap(tag => tags.get(tag) ?? [])))
          return { friend, ...all.names(friend), tags: [...names].sort(), replies: posts.length }
        })
        .filter(({ replies }) => replies > 0)
        .sort((a, b) => b.replies - a.replies || a.friend - b.friend)
        .slice(0, 20)
    },
    IC13: ({ person, other }) => all.distances(person).get(other) ?? -1,
  }
}

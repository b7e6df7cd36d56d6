import { Seeded } from './seeded.js'
import { generateWorld, type World } from './world.js'

export interface Person {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
  readonly gender: 'female' | 'male'
  readonly birthday: Date
  readonly created: Date
  readonly locationIp: string
  readonly browser: string
}

export interface Message {
  readonly id: number
  readonly kind: 'post' | 'comment'
  readonly created: Date
  readonly content: string
  readonly tags: readonly number[]
  /** The message that a comment replies to. */
  readonly parent?: number
  readonly browser: string
}

/** The rows of a network by the names of their types. */
export interface Network extends World {
  readonly person: readonly Person[]
  readonly knows: readonly { readonly one: number; readonly other: number; readonly since: Date }[]
  readonly livesIn: readonly { readonly person: number; readonly city: number }[]
  readonly studyAt: readonly { readonly person: number; readonly university: number; readonly classYear: number }[]
  readonly workAt: readonly { readonly person: number; readonly company: number; readonly from: number }[]
  readonly hasInterest: readonly { readonly person: number; readonly tag: number }[]
  readonly forum: readonly { readonly id: number; readonly title: string; readonly created: Date }[]
  readonly moderates: readonly { readonly forum: number; readonly moderator: number }[]
  readonly memberOf: readonly { readonly person: number; readonly forum: number; readonly joined: Date }[]
  readonly message: readonly Message[]
  readonly contains: readonly { readonly forum: number; readonly post: number }[]
  readonly wrote: readonly { readonly author: number; readonly message: number; readonly created: Date }[]
  readonly replyOf: readonly { readonly reply: number; readonly parent: number; readonly created: Date }[]
  readonly inThread: readonly { readonly message: number; readonly post: number }[]
  readonly likes: readonly { readonly person: number; readonly message: number; readonly created: Date }[]
  readonly hasTag: readonly { readonly message: number; readonly tag: number }[]
}

type Rows<Name extends keyof Network> = Network[Name][number][]

const FIRST_NAMES = ['Ada', 'Ben', 'Chen', 'Dina', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jun', 'Kim', 'Lea']
const LAST_NAMES = [
  'Alves',
  'Brandt',
  'Costa',
  'Diaz',
  'Endo',
  'Fischer',
  'Garcia',
  'Hahn',
  'Ito',
  'Jansen',
  'Khan',
  'Li',
]
const BROWSERS = ['Chrome', 'Firefox', 'Safari']
const BEGIN_MS = Date.UTC(2010, 0, 1)
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Messages for each person, on average. */
const MESSAGES = 12
const LIKES = 15

/** Generates a social network with the given number of people. The same seed gives the same network. */
export function generate({ persons, seed }: { readonly persons: number; readonly seed: number }): Network {
  const random = new Seeded(seed)
  const world = generateWorld(random)
  const people = peopleOf(random, world, persons)
  const knows = friendships(random, people.person)
  const forums = forumsOf(random, people.person, knows)
  return { ...world, ...people, knows, ...forums, ...activityOf(random, world, people.person, knows, forums) }
}

function peopleOf(random: Seeded, world: World, persons: number) {
  const person: Rows<'person'> = []
  const [livesIn, studyAt, workAt]: [Rows<'livesIn'>, Rows<'studyAt'>, Rows<'workAt'>] = [[], [], []]
  const hasInterest: Rows<'hasInterest'> = []
  const cities = world.place.filter(({ kind }) => kind === 'city')
  const universities = world.organisation.filter(({ kind }) => kind === 'university')
  const companies = world.organisation.filter(({ kind }) => kind === 'company')
  for (let i = 0; i < persons; i++) {
    const id = 1000 + 7 * i
    person.push({
      id,
      firstName: random.pick(FIRST_NAMES),
      lastName: random.pick(LAST_NAMES),
      gender: random.pick(['female', 'male'] as const),
      birthday: new Date(Date.UTC(random.integer(1960, 2000), random.integer(0, 11), random.integer(1, 28))),
      created: new Date(BEGIN_MS + random.integer(0, 200) * DAY_MS),
      locationIp: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
      browser: random.pick(BROWSERS),
    })
    livesIn.push({ person: id, city: random.pick(cities).id })
    if (random.chance(0.6))
      studyAt.push({ person: id, university: random.pick(universities).id, classYear: random.integer(1985, 2015) })
    for (const { id: company } of random.some(companies, random.integer(0, 2)))
      workAt.push({ person: id, company, from: random.integer(1990, 2015) })
    for (const { id: tag } of random.some(world.tag, random.integer(2, 8))) hasInterest.push({ person: id, tag })
  }
  return { person, livesIn, studyAt, workAt, hasInterest }
}

/** Most people know those with numbers near theirs, some know many, and some know nobody. */
function friendships(random: Seeded, person: readonly Person[]): Rows<'knows'> {
  const pairs = new Map<string, Network['knows'][number]>()
  for (const [i, { id: one }] of person.entries()) {
    if (i % 19 === 7) continue
    const count = random.chance(0.1) ? 9 : random.integer(0, 4)
    for (let k = 0; k < count; k++) {
      const near = (i + random.integer(1, 12)) % person.length
      const at = random.chance(0.7) ? near : random.integer(0, person.length - 1)
      const other = person[at]!.id
      if (at % 19 === 7 || other === one) continue
      const [a, b] = one < other ? [one, other] : [other, one]
      pairs.set(`${a} ${b}`, { one: a, other: b, since: new Date(BEGIN_MS + random.integer(200, 600) * DAY_MS) })
    }
  }
  return [...pairs.values()]
}

function forumsOf(random: Seeded, person: readonly Person[], knows: Rows<'knows'>) {
  const forum: Rows<'forum'> = []
  const [moderates, memberOf]: [Rows<'moderates'>, Rows<'memberOf'>] = [[], []]
  for (let i = 0; i < Math.max(1, person.length / 3); i++) {
    const id = 500_000 + 3 * i
    const moderator = random.pick(person).id
    const created = new Date(BEGIN_MS + random.integer(200, 600) * DAY_MS)
    forum.push({ id, title: `Forum ${i}`, created })
    moderates.push({ forum: id, moderator })
    const friends = knows.flatMap(({ one, other }) => (one === moderator ? [other] : other === moderator ? [one] : []))
    const members = new Set([moderator, ...friends, ...random.some(person, 5).map(each => each.id)])
    for (const member of members)
      memberOf.push({ person: member, forum: id, joined: new Date(created.getTime() + random.integer(1, 99) * DAY_MS) })
  }
  return { forum, moderates, memberOf }
}

type Forums = ReturnType<typeof forumsOf>

/** Posts in forums, comments on them by friends and members, and likes. */
function activityOf(
  random: Seeded,
  world: World,
  person: readonly Person[],
  knows: Rows<'knows'>,
  { forum, memberOf }: Forums,
) {
  const message: Rows<'message'> = []
  const [contains, wrote, replyOf]: [Rows<'contains'>, Rows<'wrote'>, Rows<'replyOf'>] = [[], [], []]
  const [inThread, likes, hasTag]: [Rows<'inThread'>, Rows<'likes'>, Rows<'hasTag'>] = [[], [], []]
  const friends = new Map<number, number[]>(person.map(({ id }) => [id, []]))
  for (const { one, other } of knows) {
    friends.get(one)!.push(other)
    friends.get(other)!.push(one)
  }
  const members = new Map(forum.map(({ id }) => [id, memberOf.filter(each => each.forum === id)]))
  let now = BEGIN_MS + 600 * DAY_MS
  for (let i = 0; i < person.length * MESSAGES; i++) {
    // No two messages have the same time, so no order of them depends on ties.
    now += random.integer(1, 600) * MINUTE_MS + 1000
    const created = new Date(now)
    const id = 1_000_000 + 5 * i
    const parent = i > 0 && random.chance(0.6) ? random.integer(Math.max(0, i - 40), i - 1) : undefined
    const tags = random.some(world.tag, random.integer(parent === undefined ? 1 : 0, 3)).map(each => each.id)
    const content = `${parent === undefined ? 'Post' : 'Comment'} ${i} on ${tags.join(' and ') || 'nothing'}`
    const browser = random.pick(BROWSERS)
    let author: number
    if (parent === undefined) {
      const { id: home } = random.pick(forum)
      author = random.pick(members.get(home)!).person
      message.push({ id, kind: 'post', created, content, tags, browser })
      contains.push({ forum: home, post: id })
      inThread.push({ message: id, post: id })
    } else {
      const to = message[parent]!.id
      const around = friends.get(wrote[parent]!.author)!
      author = around.length > 0 && random.chance(0.7) ? random.pick(around) : random.pick(person).id
      message.push({ id, kind: 'comment', created, content, tags, parent: to, browser })
      replyOf.push({ reply: id, parent: to, created })
      inThread.push({ message: id, post: inThread[parent]!.post })
    }
    wrote.push({ author, message: id, created })
    for (const tag of tags) hasTag.push({ message: id, tag })
  }
  const liked = new Set<string>()
  for (let i = 0; i < person.length * LIKES; i++) {
    const { id, created } = random.pick(message)
    const { id: fan } = random.pick(person)
    if (liked.has(`${fan} ${id}`)) continue
    liked.add(`${fan} ${id}`)
    // Full hours, so that several likes have the same time.
    const hours = Math.ceil(created.getTime() / (60 * MINUTE_MS)) + random.integer(0, 48)
    likes.push({ person: fan, message: id, created: new Date(hours * 60 * MINUTE_MS) })
  }
  return { message, contains, wrote, replyOf, inThread, likes, hasTag }
}

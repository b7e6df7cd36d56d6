import type { TraceEvent, TraceListener } from '../../../src/graph/context.js'
import type { OpenedOf } from '../../../src/graph/types/opened-graph.js'
import { day, fixedText, graph, node } from '../../../src/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { add, append, exclude, include, remove, within } from '../../../src/schema/patch-operations.js'
import type { cinema, shared } from './cinema.js'

declare const g: OpenedOf<typeof cinema>
/** Compiles only where the two are the same type. */
declare function same<A, B>(
  proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never,
): void

// Rows are plain objects with declared members; optional members may be missing.
const movie = await g.movie.get('Toy Story')
same<
  NonNullable<typeof movie>,
  {
    name: string
    year: number
    tagline?: string
    added: Date
    roles: number
    minutes: number
    genres?: Set<string>
    takings: number[]
    studio?: { name: string; city?: string }
  }
>(true)

// The row of an edge has the ids of its ends, its attributes and its carried attributes.
const roles = await g.role.by
  .actor('Tom Hanks')
  .where({ movie: { startsWith: 'T' } })
  .all()
same<
  (typeof roles)[number],
  {
    movie: string
    actor: string
    character: string
    minutes: number
    billing?: number
    actorBorn: number
    added: Date
  }
>(true)

// An id of several parts is an object, which includes the owner's id for an owned node.
await g.shop.get({ country: 'USA', zip: 30329 })
await g.order.get({ user: '01J', no: '1' })
await g.order.put({ user: '01J', no: '1', total: 3 })

// Attributes with a default and optional attributes may be omitted; derived attributes cannot be given.
await g.movie.put({ name: 'Toy Story', year: 1995 })
await g.user.create({ email: 'a@b' })
await g.role.put({ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody', minutes: 60 })

// Patches replace, add, remove, and change nested lists, sets and maps.
await g.movie.update('Toy Story', { year: add(1), tagline: remove() })
await g.movie.update('Toy Story', {
  takings: append(1, 2),
  genres: include('animation'),
  studio: within({ city: 'Emeryville' }),
})
await g.movie.update('Toy Story', {
  takings: within({ 0: add(5) }),
  genres: exclude('drama'),
  studio: within({ city: remove() }),
})

// Input may be readonly.
declare const given: {
  readonly genres: ReadonlySet<string>
  readonly takings: readonly number[]
  readonly studio: { readonly name: string }
}
await g.movie.put({ name: 'Toy Story', year: 1995, ...given })
await g.movie.update('Toy Story', given)
await g.movie.update('Toy Story', { takings: append(...given.takings), studio: within(given.studio) })
// @ts-expect-error takings are numbers
await g.movie.update('Toy Story', { takings: ['1'] as const })

// Writes return rows and accept conditions.
const old = await g.movie.put({ name: 'x', year: 1 }).returning('old')
const after = await g.movie
  .update('x', { year: 2 })
  .if(r => r.year.below(2000).or(r.tagline.exists()))
  .returning('new')
same<typeof old, typeof movie>(true)
same<typeof after, NonNullable<typeof movie>>(true)
// A repeated call under a token resolves to undefined.
const again = await g.movie.update('x', { year: 2 }).returning('new').run({ token: 't' })
const once = await g.movie.update('x', { year: 2 }).returning('new').run({ deadlineMs: 200 })
same<typeof again.value, typeof movie>(true)
same<typeof once.value, NonNullable<typeof movie>>(true)
await g.role.delete({ movie: 'x', actor: 'y', character: 'z' }).if(r => r.billing.between(1, 3).negated())

// Reads have one form: paths, owners, unique attributes, ends.
same<Awaited<ReturnType<typeof g.user.by.email>>, Awaited<ReturnType<typeof g.user.get>>>(true)
await g.order.by
  .user('x')
  .where({ no: { from: '1' } })
  .all()
await g.shop.by
  .place({ country: 'USA' })
  .where({ state: 'GA', city: 'ATLANTA', zip: { from: 30000, to: 30399 } })
  .all()
await g.movie.by
  .year()
  .where({ year: { from: 1990 } })
  .reverse()
  .limit(3)
  .first()
await g.follow.by
  .followee('x')
  .where({ since: { from: new Date() } })
  .nodes()
  .all()
for await (const { edge, node } of g.role.by.movie('Toy Story').withNodes()) edge.character + (node?.born ?? 0)
const some = await g.movie.by.year().only('name', 'year').all()
same<(typeof some)[number], { name: string; year: number }>(true)
const none = await g.movie.by.year().only().all()
same<(typeof none)[number], Pick<NonNullable<typeof movie>, never>>(true)
// A prefix of a literal type may be any text.
await g.enrolled
  .scan()
  .filter(r => r.grade.startsWith('a-').or(r.grade.contains('b')))
  .count()
// @ts-expect-error a number begins with no text
g.movie.scan().filter(r => r.year.startsWith('19'))
await g.movie
  .scan()
  .filter(r => r.genres.contains('animation').and(r.studio.at('name').is('Pixar')).and(r.takings.size().above(2)))
  .count()
const found: boolean = await g.movie.exists('x')
const several = await g.movie.many(['x', 'y'])
same<(typeof several)[number], typeof movie>(true)

// An undirected edge is found from both ends in the same way.
const friends = await g.friends.by.one('x').withNodes().all()
same<NonNullable<(typeof friends)[number]['node']>['email'], string>(true)
await g.friends.by.other('x').where({ one: 'y' }).all()

// A collection is a node and its related rows.
const both = await g.user.collect('x', {
  following: id => g.follow.by.follower(id).reverse().limit(10).withNodes(),
  classes: g.enrolled.by.user,
  orders: g.order.by.user,
})
same<(typeof both)['following'][number]['edge']['since'], Date>(true)
same<(typeof both)['classes'][number]['grade'], 'a' | 'b'>(true)
same<(typeof both)['orders'][number]['total'], number>(true)
same<(typeof both)['node'], Awaited<ReturnType<typeof g.user.get>>>(true)

// In a graph with tenants, every call belongs to a tenant.
declare const tenants: OpenedOf<typeof shared>
await tenants.$tenant('acme').note.get('1')
// @ts-expect-error a call for no tenant
tenants.note

// An embedded map is read with its node.
const course = await g.course.get('math')
same<NonNullable<typeof course>['students'], Readonly<Record<string, { grade: 'a' | 'b' }>>>(true)

// Transactions and batches return the result of each call.
const [first, exists] = await g.$transact([g.movie.get('x'), g.actor.exists('y')])
same<typeof first, typeof movie>(true)
same<typeof exists, boolean>(true)
await g.$transact(
  [
    g.movie.put({ name: 'x', year: 1 }).if(r => r.name.missing()),
    g.role.delete({ movie: 'x', actor: 'y', character: 'z' }),
  ],
  { token: 't' },
)
const { value, consumed } = await g.role.by.actor('Tom Hanks').all().run({ deadlineMs: 200 })
same<typeof value, typeof roles>(true)
export const units: number = consumed.indexes.GSI1 ?? 0

// A listener may return nothing; its result is not awaited.
declare function told(begun: TraceEvent): void
export const listener: TraceListener = told
// @ts-expect-error a listener must not return a promise
export const late: TraceListener = async () => undefined

// Optional request parameters can be passed on as undefined, also under exactOptionalPropertyTypes; a token
// cannot.
declare const asked: {
  from?: string
  limit?: number
  cursor?: string
  waitMs?: number
  signal?: AbortSignal
  key?: string
  most?: number
  told?: (done: number) => void
}
await g.role.by
  .actor('Tom Hanks')
  .where({ movie: { from: asked.from, to: undefined } })
  .page({ limit: asked.limit, cursor: asked.cursor })
  .run({ signal: asked.signal, deadlineMs: asked.waitMs, caps: { requests: asked.most }, progress: asked.told })
await g.movie.scan().all({ max: asked.most })
await g.$batch([g.movie.get('x')], { progress: asked.told })
// Undefined members of a new row are also accepted. In a patch they would be ambiguous with a removal.
declare const form: { tagline?: string | undefined; city?: string | undefined; minutes: number | undefined }
await g.movie.put({ name: 'x', year: 1, tagline: form.tagline, studio: { name: 'Pixar', city: form.city } })
await g.role.create({ movie: 'x', actor: 'y', character: 'z', minutes: 1, billing: form.minutes })
// @ts-expect-error a year is asked for
g.movie.put({ name: 'x', year: form.minutes })
// @ts-expect-error to leave it, or to remove it?
g.movie.update('x', { tagline: form.tagline })
// @ts-expect-error so inside of it
g.movie.update('x', { studio: within({ city: form.city }) })
// @ts-expect-error without its token it is another write
g.movie.put({ name: 'x', year: 1 }).run({ token: asked.key })

// A layout is opened like its graph, and explanations are typed.
declare const laidOut: Layout<(typeof cinema.types)[number], false>
same<OpenedOf<typeof laidOut>, OpenedOf<typeof cinema>>(true)
export const operations: string[] = g.movie
  .get('Big')
  .explain({ items: asked.most })
  .steps.map(step => step.operation)

export { found }

// Days, months and fixed-width texts support ranges like texts.
declare const diary: OpenedOf<typeof diaryGraph>
const diaryGraph = graph('diary', [
  node('entry', { on: day(), no: fixedText('000') }, { id: 'no', by: { no: { in: ['on'], order: ['no'] } } }),
])
diary.entry.by.no({ on: '2026-01-31' }).where({ no: { from: '001', to: '002' } })
diary.entry.by.no({ on: '2026-01-31' }).where({ no: { startsWith: '0' } })
// @ts-expect-error a day is not a Date
diary.entry.by.no({ on: new Date() })

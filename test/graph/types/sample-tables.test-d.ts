import type { OpenedOf } from '../../../src/graph/types/opened-graph.js'
import { counter } from '../../../src/schema/attributes/counter.js'
import { date } from '../../../src/schema/attributes/date.js'
import { embedded } from '../../../src/schema/attributes/embedded.js'
import { integer } from '../../../src/schema/attributes/integer.js'
import { set } from '../../../src/schema/attributes/set.js'
import { string } from '../../../src/schema/attributes/string.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { graph } from '../../../src/schema/graph.js'
import { node } from '../../../src/schema/node.js'

declare function open<G>(graph: G): Promise<OpenedOf<G>>

// Invoices and bills: a customer's name is carried and follows it, a bill's amount never changes.
const customer = node('customer', { id: string(), name: string() }, { id: 'id' })
const invoice = node('invoice', { id: string(), date: date(), balance: integer() }, { id: 'id' })
const bill = node('bill', { id: string(), amount: integer().immutable(), due: date() }, { id: 'id' })
const billedTo = edge(
  'billedTo',
  { invoice, customer },
  {},
  {
    one: 'invoice',
    carry: { customerName: { from: 'customer.name', sync: 'eventual' } },
  },
)
const contains = edge(
  'contains',
  { invoice, bill },
  { part: integer() },
  {
    carry: { amount: 'bill.amount', due: { from: 'bill.due', sync: 'mirror' } },
    by: { bill: { as: 'mirror' } },
  },
)
const billing = graph('billing', [customer, invoice, bill, billedTo, contains])
{
  const g = await open(billing)
  await g.invoice.collect('506', { customer: g.billedTo.by.invoice, bills: g.contains.by.invoice })
  await g.billedTo.by.customer('1317').all()
  await g.bill.collect('3392', { invoices: g.contains.by.bill })
  await g.contains.by.bill('3392').withNodes().all()
}

// The materialized graph of a school.
const teacher = node('teacher', { id: string() }, { id: 'id' })
const student = node('student', { id: string(), name: string() }, { id: 'id' })
const takes = edge(
  'takes',
  { student, teacher },
  { class: string(), subject: string() },
  {
    key: ['class'],
    by: { student: { order: ['teacher', 'class'] }, teacher: { order: ['class', 'student'], as: 'index' } },
  },
)
const home = node(
  'home',
  { country: string(), state: string(), city: string() },
  {
    id: ['country', 'state', 'city'],
    within: student,
    by: { place: { in: ['country'], order: ['state', 'city'] } },
  },
)
const school = graph('school', [student, teacher, takes, home])
{
  const g = await open(school)
  await g.student.collect('TOM', { classes: g.takes.by.student, homes: g.home.by.student })
  await g.takes.by.student('TOM').where({ teacher: 'SIMON' }).all()
  await g.takes.by.teacher('SIMON').where({ class: 'MATH' }).all()
  await g.home.by.place({ country: 'USA' }).where({ state: 'CA' }).all()
  await g.home.by
    .place({ country: 'USA' })
    .where({ state: 'CA', city: { startsWith: 'LOS' } })
    .all()
}

// Customers and orders; shops by state, city and zip.
const buyer = node('buyer', { id: string(), name: string() }, { id: 'id' })
const order = node('order', { no: string() }, { id: 'no', within: buyer })
const shop = node(
  'shop',
  { id: string(), country: string(), state: string(), city: string(), zip: integer({ min: 0, max: 99_999 }) },
  { id: 'id', by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
)
{
  const g = await open(graph('shops', [buyer, order, shop]))
  await g.buyer.collect('XYQ', { orders: g.order.by.buyer })
  await g.order.by.buyer('XYQ').limit(10).all()
  await g.order.get({ buyer: 'XYQ', no: '00001' })
  await g.shop.by
    .place({ country: 'USA' })
    .where({ state: 'GA', city: 'ATLANTA', zip: { from: 30300, to: 30399 } })
    .all()
}

// Dates, names, places and skills on one overloaded, sharded index.
const person = node(
  'person',
  { id: string(), name: string(), born: date(), country: string(), city: string(), skills: set(string()) },
  {
    id: 'id',
    by: {
      born: { order: ['born'], as: 'item', shards: 8 },
      name: { order: ['name'], as: 'item', shards: 4 },
      place: { in: ['country'], order: ['city'], as: 'item' },
      skill: { in: ['skills'], order: ['name'], as: 'item', shards: 4 },
    },
  },
)
const knows = edge('knows', { from: person, to: person })
{
  const g = await open(graph('people', [person, knows]))
  await g.person.by
    .born()
    .where({ born: { from: new Date(0), to: new Date() } })
    .all()
  await g.person.by.skill({ skills: 'java' }).page({ limit: 25 })
  await g.person.by
    .name()
    .where({ name: { startsWith: 'J' } })
    .first()
  await g.person.by.place({ country: 'USA' }).count()
  await g.knows.by.to('p1').nodes().all()
}

// Shallow duplication; movies and roles; users and followed users.
const pupil = node('pupil', { id: string(), name: string().immutable() }, { id: 'id' })
const course = node('course', { id: string(), title: string(), pupils: embedded({ name: string() }) }, { id: 'id' })
const enrolled = edge(
  'enrolled',
  { pupil, course },
  {},
  { carry: { name: 'pupil.name' }, embed: { course: { into: 'pupils', max: 40 } } },
)
const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { by: { actor: { as: 'inverted' } } })
const user = node('user', { name: string(), display: string(), followers: counter() }, { id: 'name' })
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { since: date().default(() => new Date()) },
  {
    count: { followee: 'followers' },
    by: { followee: { order: ['since'] } },
  },
)
{
  const g = await open(graph('all', [pupil, course, enrolled, movie, actor, role, user, follow]))
  const math = await g.course.get('math')
  Object.values(math?.pupils ?? {}).map(each => each.name.toUpperCase())
  await g.movie.collect('Toy Story', { roles: g.role.by.movie })
  await g.actor.collect('Tom Hanks', { roles: g.role.by.actor })
  await g.user.collect('Harsha', { following: id => g.follow.by.follower(id).limit(10).withNodes() })
  await g.follow.by.followee('Harsha').reverse().limit(10).all()
  g.follow.by.follower('Harsha').all().explain().toString()
  const { value, consumed } = await g.role.by.actor('Tom Hanks').all().run({ deadlineMs: 200 })
  value[0]!.character.length + consumed.total
  await g.$transact(
    [
      g.movie.create({ name: 'Cast Away', year: 2000 }),
      g.role.create({ movie: 'Cast Away', actor: 'Tom Hanks', character: 'Chuck' }),
    ],
    { token: 'once' },
  )
}

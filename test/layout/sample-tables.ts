import { layout } from '../../src/layout/layout.js'
import { computed } from '../../src/schema/transformed/computed.js'
import { date, edge, embedded, graph, integer, node, set, string } from './declarations.js'

/** The graphs of the sample tables, with their keys and rows. */
export function shop() {
  const [id, no] = [string(), string()]
  const customerId = computed(string(), { id }, row => row.id)
  const orderId = computed(string(), { no }, row => row.no)
  const customer = node('customer', { id, customerId, name: string() }, { id: 'id' })
  const order = node('order', { no, orderId }, { id: 'no', within: customer })
  const made = layout(graph('shop', [customer, order]), {
    keys: {
      customer: { PK: 'CUSTOMER#{id}', SK: 'CUSTOMER#{id}' },
      order: { PK: 'CUSTOMER#{customer}', SK: 'ORDER#{no}' },
    },
    type: { attribute: 'TYPE', values: { customer: 'CUSTOMER', order: 'ORDER' } },
    names: { customer: { customerId: 'Customer ID', name: 'Name' }, order: { orderId: 'Order ID' } },
  })
  const orders = (customer: string, numbers: readonly string[]) => numbers.map(no => ({ customer, no }))
  const example = {
    customer: [
      { id: 'XYQ', name: 'Tom' },
      { id: 'VLD', name: 'Linda' },
    ],
    order: [...orders('XYQ', ['00001', '00002']), ...orders('VLD', ['00003', '00004'])],
  }
  return { made, example }
}

export function school() {
  const student = node('student', { id: string(), name: string() }, { id: 'id' })
  const teacher = node('teacher', { id: string() }, { id: 'id' })
  const takes = edge(
    'takes',
    { student, teacher },
    { class: string(), subject: string(), name: string() },
    { key: ['class'], by: { student: { order: ['teacher', 'class'] }, teacher: { order: ['class'] } } },
  )
  const home = node(
    'home',
    { country: string(), state: string(), city: string() },
    { id: ['country', 'state', 'city'], within: student, by: { place: { in: ['country'], order: ['state', 'city'] } } },
  )
  const made = layout(graph('school', [student, teacher, takes, home]), {
    type: { attribute: 'TYPE', values: { student: 'STUDENT', takes: 'CLASS', home: 'HOME' } },
    names: { student: { name: 'Name' }, takes: { subject: 'Subject', name: 'Name' } },
    indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'] } },
    keys: {
      student: { PK: 'STUDENT#{id}', SK: 'STUDENT#{id}', GSI1PK: 'STUDENT#{id}', GSI1SK: 'STUDENT#{id}' },
      takes: {
        PK: 'STUDENT#{student}',
        SK: 'TEACHER#{teacher}#CLASS#{class}',
        GSI1PK: 'TEACHER#{teacher}',
        GSI1SK: 'CLASS#{class}',
      },
      home: {
        PK: 'STUDENT#{student}',
        SK: 'HOME#{country}#{state}#{city}',
        GSI1PK: 'COUNTRY#{country}',
        GSI1SK: 'HOME#{state}#{city}',
      },
    },
  })
  const example = {
    student: [
      { id: 'TOM', name: 'Tom' },
      { id: 'ANN', name: 'Ann' },
    ],
    takes: [
      { student: 'TOM', teacher: 'SIMON', class: 'MATH', subject: 'Math', name: 'Simon' },
      { student: 'TOM', teacher: 'MICHAEL', class: 'PHYSICS', subject: 'Physics', name: 'Michael' },
      { student: 'ANN', teacher: 'SIMON', class: 'ART', subject: 'Art', name: 'Simon' },
    ],
    home: [
      { student: 'TOM', country: 'USA', state: 'CA', city: 'LOS_ANGELES' },
      { student: 'ANN', country: 'USA', state: 'NY', city: 'ALBANY' },
    ],
  }
  return { made, example }
}

export function invoices() {
  const customer = node('customer', { id: string() }, { id: 'id' })
  const invoice = node('invoice', { id: string(), date: date() }, { id: 'id' })
  const bill = node('bill', { id: string(), amount: integer() }, { id: 'id' })
  const billedTo = edge('billedTo', { invoice, customer }, {}, { by: { customer: { as: 'inverted' } } })
  const contains = edge('contains', { invoice, bill }, {}, { by: { bill: { as: 'mirror' } } })
  const capacity = { read: 100, write: 100 }
  const made = layout(graph('InvoiceAndBills', [customer, invoice, bill, billedTo, contains]), {
    keys: {
      customer: { PK: 'C#{id}', SK: 'C#{id}' },
      invoice: { PK: 'I#{id}', SK: 'root' },
      bill: { PK: 'B#{id}', SK: 'B#{id}' },
      billedTo: { PK: 'I#{invoice}', SK: 'C#{customer}' },
      contains: { PK: 'I#{invoice}', SK: 'B#{bill}', mirror: { PK: 'B#{bill}', SK: 'I#{invoice}' } },
    },
    indexes: { GSI_1: { keys: ['SK'], capacity } },
    capacity,
  })
  const example = {
    customer: [{ id: '1317' }],
    invoice: [
      { id: '506', date: new Date(0) },
      { id: '507', date: new Date(1) },
    ],
    bill: [
      { id: '3392', amount: 7 },
      { id: '3393', amount: 8 },
    ],
    billedTo: [
      { invoice: '506', customer: '1317' },
      { invoice: '507', customer: '1317' },
    ],
    contains: [
      { invoice: '506', bill: '3392' },
      { invoice: '506', bill: '3393' },
      { invoice: '507', bill: '3392' },
    ],
  }
  return { made, example, capacity }
}

export function cinema() {
  const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
  const actor = node('actor', { name: string() }, { id: 'name' })
  const role = edge('role', { movie, actor }, { character: string() }, { by: { actor: { as: 'inverted' } } })
  const user = node('user', { name: string(), display: string() }, { id: 'name' })
  const follow = edge('follow', { follower: user, followee: user }, {}, { by: { followee: { as: 'none' } } })
  const made = layout(graph('all', [movie, actor, role, user, follow]), {
    keys: {
      movie: { PK: 'MOVIE#{name}', SK: 'MOVIE#{name}' },
      actor: { PK: 'ACTOR#{name}', SK: 'ACTOR#{name}' },
      role: { PK: 'MOVIE#{movie}', SK: 'ACTOR#{actor}' },
      user: { PK: 'USER#{name}', SK: 'USER#{name}' },
      follow: { PK: 'USER#{follower}', SK: 'FOLLOWING#{followee}' },
    },
  })
  const followed = Array.from({ length: 12 }, (_, i) => `user${String(i).padStart(2, '0')}`)
  const example = {
    movie: ['Cast Away', 'Toy Story'].map((name, i) => ({ name, year: 2000 - 5 * i })),
    actor: ['Tim Allen', 'Tom Hanks'].map(name => ({ name })),
    role: [
      { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' },
      { movie: 'Toy Story', actor: 'Tim Allen', character: 'Buzz' },
      { movie: 'Cast Away', actor: 'Tom Hanks', character: 'Chuck' },
    ],
    user: ['Harsha', ...followed].map(name => ({ name, display: name.toUpperCase() })),
    follow: followed.map(followee => ({ follower: 'Harsha', followee })),
  }
  return { made, example, followed }
}

export function courses() {
  const pupil = node('pupil', { id: string(), name: string().immutable() }, { id: 'id' })
  const course = node('course', { id: string(), pupils: embedded({ name: string() }) }, { id: 'id' })
  const enrolled = edge(
    'enrolled',
    { pupil, course },
    {},
    { carry: { name: 'pupil.name' }, embed: { course: { into: 'pupils', max: 40 } } },
  )
  const made = layout(graph('courses', [pupil, course, enrolled]))
  const example = {
    pupil: [{ id: 'p1', name: 'Ann' }],
    course: [{ id: 'math' }, { id: 'art' }],
    enrolled: [{ pupil: 'p1', course: 'math' }],
  }
  return { made, example }
}

/**
 * The table that the third sample only describes: Type and Target in one sort key, and Data, a sharded index of several
 * attributes.
 */
export function people() {
  const person = node(
    'person',
    { id: string(), name: string(), born: date(), country: string(), city: string(), skills: set(string()) },
    {
      id: 'id',
      by: {
        born: { order: ['born'], as: 'item', shards: 8 },
        name: { order: ['name'], as: 'item' },
        place: { in: ['country'], order: ['city'], as: 'item' },
        skill: { in: ['skills'], as: 'item', shards: 4 },
      },
    },
  )
  const knows = edge('knows', { from: person, to: person })
  const made = layout(graph('people', [person, knows]), {
    table: { keys: ['NodeID', 'TypeTarget'] },
    type: {
      attribute: 'Type',
      values: { 'person.born': 'born', 'person.name': 'name', 'person.place': 'place', 'person.skill': 'skill' },
    },
    indexes: { Data: { keys: ['GSI1PK', 'Data'] }, Target: { keys: ['Target', 'Source'] } },
    keys: {
      person: {
        NodeID: '{id}',
        TypeTarget: 'person#{id}',
        'by.born': { NodeID: '{id}', TypeTarget: 'born#{born}', GSI1PK: 'born#{shard}', Data: '{born}#{id}' },
        'by.name': { NodeID: '{id}', TypeTarget: 'name#{name}', GSI1PK: 'name', Data: '{name}#{id}' },
        'by.place': {
          NodeID: '{id}',
          TypeTarget: 'place#{country}#{city}',
          GSI1PK: 'place#{country}',
          Data: '{city}#{id}',
        },
        'by.skill': { NodeID: '{id}', TypeTarget: 'skill#{skills}', GSI1PK: 'skill#{skills}#{shard}', Data: '{id}' },
      },
      knows: { NodeID: '{from}', TypeTarget: 'knows#{to}', Target: '{to}', Source: 'knows#{from}' },
    },
  })
  const ann = { id: 'p1', name: 'Ann', born: new Date(0), country: 'USA', city: 'Boston', skills: new Set(['java']) }
  return { made, example: { person: [ann], knows: [{ from: 'p1', to: 'p2' }] } }
}

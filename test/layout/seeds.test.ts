import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/dynamodb/attribute-value.js'
import { type Example, itemsOf } from '../../src/layout/items.js'
import { type Layout, layout } from '../../src/layout/layout.js'
import { proveLayout } from '../../src/layout/proof/layout-proof.js'
import { date, edge, embedded, graph, integer, node, string } from './declare.js'

/** The columns of a table as the seeds print them, row by row; an empty cell is an attribute that is not there. */
function rows(made: Layout, example: Example, columns: readonly string[]): string[][] {
  expect(proveLayout(made)).toEqual([])
  return itemsOf(made, example).map(({ item }) => columns.map(column => text(item, column)))
}

const text = (item: Item, column: string) => (item[column] ? String(Object.values(item[column]!)[0]) : '')

describe('the tables of the seeds come out to the letter', () => {
  it('customers and their orders', () => {
    const customer = node('customer', { id: string(), name: string() }, { id: 'id' })
    const order = node('order', { no: string() }, { id: 'no', within: customer })
    const made = layout(graph('shop', [customer, order]), {
      keys: {
        customer: { PK: 'CUSTOMER#{id}', SK: 'CUSTOMER#{id}' },
        order: { PK: 'CUSTOMER#{customer}', SK: 'ORDER#{no}' },
      },
      type: { attribute: 'TYPE', values: { customer: 'CUSTOMER', order: 'ORDER' } },
      names: { customer: { name: 'Name' } },
    })
    const example = {
      customer: [
        { id: 'XYQ', name: 'Tom' },
        { id: 'VLD', name: 'Linda' },
      ],
      order: ['00001', '00002']
        .map(no => ({ customer: 'XYQ', no }))
        .concat(['00003', '00004'].map(no => ({ customer: 'VLD', no }))),
    }
    expect(rows(made, example, ['PK', 'SK', 'TYPE', 'Name'])).toEqual([
      ['CUSTOMER#XYQ', 'CUSTOMER#XYQ', 'CUSTOMER', 'Tom'],
      ['CUSTOMER#VLD', 'CUSTOMER#VLD', 'CUSTOMER', 'Linda'],
      ['CUSTOMER#XYQ', 'ORDER#00001', 'ORDER', ''],
      ['CUSTOMER#XYQ', 'ORDER#00002', 'ORDER', ''],
      ['CUSTOMER#VLD', 'ORDER#00003', 'ORDER', ''],
      ['CUSTOMER#VLD', 'ORDER#00004', 'ORDER', ''],
    ])
    expect(made.accesses.map(({ name, index, parts }) => [name, index, parts])).toEqual([
      ['customer', undefined, ['no']],
    ])
  })

  it('students, teachers, classes and homes', () => {
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
      {
        id: ['country', 'state', 'city'],
        within: student,
        by: { place: { in: ['country'], order: ['state', 'city'] } },
      },
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
      student: [{ id: 'TOM', name: 'Tom' }],
      takes: [
        { student: 'TOM', teacher: 'SIMON', class: 'MATH', subject: 'Math', name: 'Simon' },
        { student: 'TOM', teacher: 'MICHAEL', class: 'PHYSICS', subject: 'Physics', name: 'Michael' },
      ],
      home: [{ student: 'TOM', country: 'USA', state: 'CA', city: 'LOS_ANGELES' }],
    }
    expect(rows(made, example, ['PK', 'SK', 'TYPE', 'Subject', 'Name', 'GSI1PK', 'GSI1SK'])).toEqual([
      ['STUDENT#TOM', 'STUDENT#TOM', 'STUDENT', '', 'Tom', 'STUDENT#TOM', 'STUDENT#TOM'],
      ['STUDENT#TOM', 'HOME#USA#CA#LOS_ANGELES', 'HOME', '', '', 'COUNTRY#USA', 'HOME#CA#LOS_ANGELES'],
      ['STUDENT#TOM', 'TEACHER#SIMON#CLASS#MATH', 'CLASS', 'Math', 'Simon', 'TEACHER#SIMON', 'CLASS#MATH'],
      [
        'STUDENT#TOM',
        'TEACHER#MICHAEL#CLASS#PHYSICS',
        'CLASS',
        'Physics',
        'Michael',
        'TEACHER#MICHAEL',
        'CLASS#PHYSICS',
      ],
    ])
    expect(made.accesses.map(({ type, name, index, parts }) => [`${type.name}.by.${name}`, index, parts])).toEqual([
      ['home.by.student', undefined, ['country', 'state', 'city']],
      ['home.by.place', 'GSI1', ['state', 'city']],
      ['takes.by.student', undefined, ['teacher', 'class']],
      ['takes.by.teacher', 'GSI1', ['class']],
    ])
  })

  it('invoices, bills and customers, with GSI_1 on the sort key', () => {
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
      invoice: [{ id: '506', date: new Date(0) }],
      bill: [{ id: '3392', amount: 7 }],
      billedTo: [{ invoice: '506', customer: '1317' }],
      contains: [{ invoice: '506', bill: '3392' }],
    }
    expect(rows(made, example, ['PK', 'SK'])).toEqual([
      ['C#1317', 'C#1317'],
      ['I#506', 'root'],
      ['B#3392', 'B#3392'],
      ['I#506', 'C#1317'],
      ['I#506', 'B#3392'],
      ['B#3392', 'I#506'],
    ])
    expect(made.design.indexes).toEqual([
      {
        name: 'GSI_1',
        kind: 'global',
        partition: ['SK'],
        sort: [],
        project: 'all',
        capacity,
        serves: ['billedTo.by.customer'],
      },
    ])
    expect(made.design.capacity).toEqual(capacity)
  })

  it('movies and actors, users and whom they follow', () => {
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
    const example = {
      movie: [{ name: 'Toy Story', year: 1995 }],
      role: [{ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' }],
      user: [{ name: 'Harsha', display: 'H' }],
      follow: [{ follower: 'Harsha', followee: 'Tom' }],
    }
    expect(rows(made, example, ['PK', 'SK'])).toEqual([
      ['MOVIE#Toy Story', 'MOVIE#Toy Story'],
      ['USER#Harsha', 'USER#Harsha'],
      ['MOVIE#Toy Story', 'ACTOR#Tom Hanks'],
      ['USER#Harsha', 'FOLLOWING#Tom'],
    ])
    const byActor = made.accesses.find(({ name }) => name === 'actor')!
    expect([byActor.index, byActor.partition!.source, byActor.consistent]).toEqual(['inverted', 'ACTOR#{actor}', false])
  })

  it('the place of a shop, state before city before zip', () => {
    const shop = node(
      'shop',
      { id: string(), country: string(), state: string(), city: string(), zip: integer({ min: 0, max: 99_999 }) },
      { id: 'id', by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
    )
    const made = layout(graph('shops', [shop]))
    const example = { shop: [{ id: '7', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_329 }] }
    expect(rows(made, example, ['PK', 'SK', 'GSI1PK', 'GSI1SK'])).toEqual([
      ['shop#7', '#', 'shop.place#USA', 'GA#ATLANTA#30329#7'],
    ])
  })

  it('pupils within the item of their course', () => {
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
      course: [{ id: 'math' }],
      enrolled: [{ pupil: 'p1', course: 'math' }],
    }
    const found = itemsOf(made, example).find(({ kind }) => kind === 'course')!
    expect(found.item).toEqual({
      PK: { S: 'course#math' },
      SK: { S: '#' },
      _type: { S: 'course' },
      pupils: { M: { p1: { M: { name: { S: 'Ann' } } } } },
    })
  })
})

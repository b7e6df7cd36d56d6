import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { type Example, itemsOf } from '../../../src/layout/items/items.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { graph, integer, node, string } from '../declarations.js'
import { cinema, courses, invoices, people, school, shop } from '../sample-tables.js'

/** The columns of a sample table row by row. An empty cell is a missing attribute. */
function rows(made: Layout, example: Example, columns: readonly string[]): string[][] {
  expect(proveLayout(made)).toEqual([])
  return itemsOf(made, example).map(({ item }) => columns.map(column => text(item, column)))
}

const text = (item: Item, column: string) => (item[column] ? String(Object.values(item[column]!)[0]) : '')

describe('the sample tables', () => {
  it('the sample table of customers and orders is reproduced exactly', () => {
    const { made, example } = shop()
    expect(rows(made, example, ['PK', 'SK', 'TYPE', 'Customer ID', 'Order ID', 'Name'])).toEqual([
      ['CUSTOMER#XYQ', 'CUSTOMER#XYQ', 'CUSTOMER', 'XYQ', '', 'Tom'],
      ['CUSTOMER#VLD', 'CUSTOMER#VLD', 'CUSTOMER', 'VLD', '', 'Linda'],
      ['CUSTOMER#XYQ', 'ORDER#00001', 'ORDER', '', '00001', ''],
      ['CUSTOMER#XYQ', 'ORDER#00002', 'ORDER', '', '00002', ''],
      ['CUSTOMER#VLD', 'ORDER#00003', 'ORDER', '', '00003', ''],
      ['CUSTOMER#VLD', 'ORDER#00004', 'ORDER', '', '00004', ''],
    ])
    expect(made.accesses.map(({ name, index, sortSlots }) => [name, index, sortSlots])).toEqual([
      ['customer', undefined, ['no']],
    ])
  })

  it('the sample table of students, teachers, classes and homes is reproduced exactly', () => {
    const { made } = school()
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
    expect(
      made.accesses.map(({ type, name, index, sortSlots }) => [`${type.name}.by.${name}`, index, sortSlots]),
    ).toEqual([
      ['home.by.student', undefined, ['country', 'state', 'city']],
      ['home.by.place', 'GSI1', ['state', 'city']],
      ['takes.by.student', undefined, ['teacher', 'class']],
      ['takes.by.teacher', 'GSI1', ['class']],
    ])
  })

  it('the sample table of invoices, bills and customers is reproduced exactly with GSI_1 on the sort key', () => {
    const { made, capacity } = invoices()
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

  it('the sample table of movies, actors, users and follows is reproduced exactly', () => {
    const { made } = cinema()
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

  it('the sample table of shops by state, city and zip is reproduced exactly', () => {
    const place = node(
      'shop',
      { id: string(), country: string(), state: string(), city: string(), zip: integer({ min: 0, max: 99_999 }) },
      { id: 'id', by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
    )
    const example = { shop: [{ id: '7', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_329 }] }
    expect(rows(layout(graph('shops', [place])), example, ['PK', 'SK', 'GSI1PK', 'GSI1SK'])).toEqual([
      ['shop#7', '#', 'shop.place#USA', 'GA#ATLANTA#30329#7'],
    ])
    const given = layout(graph('shops', [place]), {
      keys: { shop: { GSI1PK: 'COUNTRY#{country}', GSI1SK: '{state}#{city}#{zip}' } },
    })
    expect(rows(given, example, ['GSI1PK', 'GSI1SK'])).toEqual([['COUNTRY#USA', 'GA#ATLANTA#30329']])
  })

  it('the sample table of people with Type, Target and Data is reproduced exactly', () => {
    const { made, example } = people()
    expect(rows(made, example, ['NodeID', 'TypeTarget', 'Type', 'Target', 'Data'])).toEqual([
      ['p1', 'person#p1', 'person', '', ''],
      ['p1', 'born#1970-01-01T00:00:00.000Z', 'born', '', '1970-01-01T00:00:00.000Z#p1'],
      ['p1', 'name#Ann', 'name', '', 'Ann#p1'],
      ['p1', 'place#USA#Boston', 'place', '', 'Boston#p1'],
      ['p1', 'skill#java', 'skill', '', 'p1'],
      ['p1', 'knows#p2', 'knows', 'p2', ''],
    ])
    expect(made.design.indexes.map(({ name, serves }) => [name, serves])).toEqual([
      ['Data', ['person.by.born', 'person.by.name', 'person.by.place', 'person.by.skill']],
      ['Target', ['knows.by.to']],
    ])
  })

  it('the sample table of pupils embedded in their course is reproduced exactly', () => {
    const { made } = courses()
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

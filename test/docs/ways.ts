import type { Row } from '../../src/layout/items/items.js'
import { type Cost, costOf, costOfPut, type Handles, type Shown } from './costs.js'

type Measure = readonly [label: string, measure: (shown: Shown) => Promise<Cost>]

const put = (label: string, type: string, instead?: Row): Measure => [label, shown => costOfPut(shown, type, instead)]
const call = (label: string, made: Parameters<typeof costOf>[1]): Measure => [label, shown => costOf(shown, made)]
const read = (label: string, type: string, path: string, given: unknown): Measure =>
  call(label, g => g[type]!.by[path]!(given).all())
const collect = (label: string, type: string, id: string, parts: (g: Handles) => object): Measure =>
  call(label, g => g[type]!.collect(id, parts(g)))

/** What the page of each way says that calls take, in the order of its table. */
export const WAYS: Readonly<Record<string, readonly Measure[]>> = {
  adjacent: [
    put('put a role', 'role'),
    read('the roles of a movie', 'role', 'movie', 'Toy Story'),
    collect('the movie and its roles', 'movie', 'Toy Story', g => ({ roles: g.role!.by.movie })),
  ],
  index: [
    put('put a role', 'role'),
    put('put a movie, which is in the index by its year', 'movie'),
    read('the roles of an actor', 'role', 'actor', 'Tom Hanks'),
    read('the movies of a year', 'movie', 'year', { year: 1995 }),
  ],
  inverted: [
    put('put a role', 'role'),
    put('put a movie, which lands in the index too', 'movie'),
    read('the roles of an actor', 'role', 'actor', 'Tom Hanks'),
  ],
  mirror: [
    put('put a role', 'role'),
    read('the roles of a movie', 'role', 'movie', 'Toy Story'),
    read('the roles of an actor', 'role', 'actor', 'Tom Hanks'),
  ],
  embedded: [put('enrol a pupil', 'enrolled'), call('a course with its pupils', g => g.course!.get('math'))],
  reference: [
    read('the roles of a movie, as ids', 'role', 'movie', 'Toy Story'),
    call('its actors', g => g.role!.by.movie!('Toy Story').nodes().all()),
  ],
  carried: [put('put a role', 'role'), read('the roles of a movie, with the copies', 'role', 'movie', 'Toy Story')],
  hierarchy: [
    put('put a shop', 'shop'),
    put('move it to another zip', 'shop', { id: '3', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_301 }),
    read('the shops of a country', 'shop', 'place', { country: 'USA' }),
  ],
  item: [
    put('put a person with two skills', 'person'),
    read('the people with a skill', 'person', 'skill', { skills: 'go' }),
  ],
  owned: [
    put('put an order', 'order'),
    read('the orders of a customer', 'order', 'customer', 'XYQ'),
    collect('the customer and its orders', 'customer', 'XYQ', g => ({ orders: g.order!.by.customer })),
  ],
  one: [
    put('put where a student lives', 'lives'),
    put('the student moves', 'lives', { student: 'Tom', house: '9' }),
    read('where a student lives', 'lives', 'student', 'Tom'),
    read('who lives in a house', 'lives', 'house', '7'),
  ],
  tree: [
    put('attach a person at the third level', 'reports'),
    put('move a person to another manager', 'reports', { report: 'dev', manager: 'ceo' }),
    call('size and payroll below a manager', g => g.person!.get('ceo')),
    read('the direct reports, with the size of their subtrees', 'reports', 'manager', 'ceo'),
    read('everyone below', 'below', 'manager', 'ceo'),
    read('everyone above', 'below', 'report', 'dev'),
    call('everyone below, walked', g => g.person!.from('ceo').repeat(g.reports!.by.manager!, { depth: 9 }).ids()),
  ],
  local: [put('put a follow', 'follow'), read('whom a user follows, oldest first', 'follow', 'follower', 'ann')],
  native: [put('put a follow', 'follow'), read('the followers of a user, oldest first', 'follow', 'followee', 'bob')],
}

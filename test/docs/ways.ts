import type { Row } from '../../src/layout/items.js'
import type { KeyValues } from '../../src/layout/template-encode.js'
import { type Cost, costOfGet, costOfPartition, costOfPut, costOfRead, costOfReplace, type Shown } from './costs.js'

type Measure = readonly [label: string, measure: (shown: Shown) => Promise<Cost>]

const put = (label: string, type: string): Measure => [label, shown => costOfPut(shown, type)]
const replace = (label: string, type: string, row: Row): Measure => [label, shown => costOfReplace(shown, type, row)]
const read = (label: string, path: string, given: KeyValues): Measure => [
  label,
  shown => costOfRead(shown, path, given),
]
const partition = (label: string, key: string): Measure => [label, shown => costOfPartition(shown, key)]
const get = (label: string, ...keys: [string, string][]): Measure => [label, shown => costOfGet(shown, keys)]

const hanks = { actor: { S: 'Tom Hanks' } }
const toyStory = { movie: { S: 'Toy Story' } }

/** What the page of each way says that things cost, in the order of its table. */
export const WAYS: Readonly<Record<string, readonly Measure[]>> = {
  adjacent: [
    put('put a role', 'role'),
    read('the roles of a movie', 'role.by.movie', toyStory),
    partition('the movie and its roles', 'movie#Toy Story'),
  ],
  index: [
    put('put a role', 'role'),
    put('put a movie, which is in the index by its year', 'movie'),
    read('the roles of an actor', 'role.by.actor', hanks),
    read('the movies of a year', 'movie.by.year', { year: { N: '1995' } }),
  ],
  inverted: [
    put('put a role', 'role'),
    put('put a movie, which lands in the index too', 'movie'),
    read('the roles of an actor', 'role.by.actor', hanks),
  ],
  mirror: [
    put('put a role', 'role'),
    read('the roles of a movie', 'role.by.movie', toyStory),
    read('the roles of an actor', 'role.by.actor', hanks),
  ],
  embedded: [put('enrol a pupil', 'enrolled'), get('a course with its pupils', ['course#math', '#'])],
  reference: [
    read('the roles of a movie, as ids', 'role.by.movie', toyStory),
    get('their actors', ['actor#Tim Allen', '#'], ['actor#Tom Hanks', '#']),
  ],
  carried: [put('put a role', 'role'), read('the roles of a movie, with the copies', 'role.by.movie', toyStory)],
  hierarchy: [
    put('put a shop', 'shop'),
    replace('move it to another zip', 'shop', { id: '3', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_301 }),
    read('the shops of a country', 'shop.by.place', { country: { S: 'USA' } }),
  ],
  item: [
    put('put a person with two skills', 'person'),
    read('the people with a skill', 'person.by.skill', { skills: { S: 'go' } }),
  ],
  owned: [
    put('put an order', 'order'),
    read('the orders of a customer', 'order.by.customer', { customer: { S: 'XYQ' } }),
    partition('the customer and its orders', 'customer#XYQ'),
  ],
  one: [
    put('put where a student lives', 'lives'),
    replace('the student moves', 'lives', { student: 'Tom', house: '9' }),
    read('where a student lives', 'lives.by.student', { student: { S: 'Tom' } }),
    read('who lives in a house', 'lives.by.house', { house: { S: '7' } }),
  ],
  local: [
    put('put a follow', 'follow'),
    read('whom a user follows, oldest first', 'follow.by.follower', { follower: { S: 'ann' } }),
  ],
  native: [
    put('put a follow', 'follow'),
    read('the followers of a user, oldest first', 'follow.by.followee', { followee: { S: 'bob' } }),
  ],
}

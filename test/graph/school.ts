import { memory } from '../../src/engine/memory.js'
import {
  counter,
  date,
  edge,
  embedded,
  graph,
  integer,
  map,
  node,
  type OpenOptions,
  open,
  type Store,
  set,
  string,
} from '../../src/index.js'

/** A graph with every feature that a call can meet. */
const student = node(
  'student',
  {
    id: string(),
    name: string().immutable(),
    email: string().optional(),
    level: integer({ min: 0, max: 99 }).default(() => 1),
    skills: set(string()).optional(),
    address: map({ city: string(), zip: string().optional() }).optional(),
    friends: counter(),
  },
  {
    id: 'id',
    unique: ['email'],
    by: { level: { order: ['level'] }, skill: { in: ['skills'], order: ['name'], as: 'item', shards: 4 } },
  },
)
const course = node(
  'course',
  { id: string(), title: string(), seats: counter(), points: counter(), pupils: embedded({ name: string() }) },
  { id: 'id' },
)
const lesson = node('lesson', { no: integer({ min: 1, max: 999 }), topic: string() }, { id: 'no', within: course })
const takes = edge(
  'takes',
  { student, course },
  { since: date(), credits: integer() },
  {
    carry: { name: 'student.name' },
    count: { course: 'seats' },
    sum: { course: { into: 'points', of: 'credits' } },
    embed: { course: { into: 'pupils', max: 3 } },
    by: { course: { order: ['since'], as: 'mirror' } },
    onDelete: { course: 'cascade', student: 'refuse' },
  },
)
const befriends = edge('befriends', { one: student, other: student }, { since: date() }, { undirected: true })
export const school = graph('school', [student, course, lesson, takes, befriends])

export const START = Date.UTC(2026, 0, 1)

let etags = 0

/** Opens the school on a store with a predictable clock and predictable randomness. */
export function openSchool(store: Store = memory(), options: OpenOptions = {}) {
  const random = (bytes: number) => {
    const made = new Uint8Array(bytes)
    new DataView(made.buffer).setUint32(0, ++etags)
    return made
  }
  return open(school, store, { create: true, clock: () => START, random, ...options })
}

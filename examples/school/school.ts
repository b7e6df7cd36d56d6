import { edge, graph, layout, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

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
    onDelete: 'leave',
    by: { place: { in: ['country'], order: ['state', 'city'] } },
  },
)

const school = layout(graph('school', [student, teacher, takes, home]), {
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

export const rows = {
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

export const store = memory()
export const g = await open(school, store, { listener })
await g.$batch(rows.student.map(each => g.student.put(each)))
await g.$batch(rows.takes.map(each => g.takes.put(each)))
await g.$batch(rows.home.map(each => g.home.put(each)))

export const asked = await show({
  title: 'Students, teachers, classes and homes: the materialized graph',
  graph: g,
  store,
  rows,
  patterns: {
    'A student with classes and homes': () =>
      g.student.collect('TOM', { classes: g.takes.by.student, homes: g.home.by.student }),
    'The classes of a student': () => g.takes.by.student('TOM').all(),
    'The classes of a student with one teacher': () => g.takes.by.student('TOM').where({ teacher: 'SIMON' }).all(),
    'The students of a teacher': () => g.takes.by.teacher('SIMON').all(),
    'The students of a teacher in one class': () => g.takes.by.teacher('SIMON').where({ class: 'MATH' }).all(),
    'Who lives in a state': () => g.home.by.place({ country: 'USA' }).where({ state: 'CA' }).all(),
    'Who lives in a city that begins with LOS': () =>
      g.home.by
        .place({ country: 'USA' })
        .where({ state: 'CA', city: { startsWith: 'LOS' } })
        .all(),
  },
})

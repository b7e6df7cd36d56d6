import { edge, embedded, graph, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

const pupil = node('pupil', { id: string(), name: string().immutable() }, { id: 'id' })
const course = node('course', { id: string(), title: string(), pupils: embedded({ name: string() }) }, { id: 'id' })
const enrolled = edge(
  'enrolled',
  { pupil, course },
  {},
  { carry: { name: 'pupil.name' }, embed: { course: { into: 'pupils', max: 40 } } },
)

export const rows = {
  pupil: [
    { id: 'p1', name: 'Ann' },
    { id: 'p2', name: 'Bob' },
  ],
  course: [
    { id: 'math', title: 'Mathematics' },
    { id: 'art', title: 'Art' },
  ],
  enrolled: [
    { pupil: 'p1', course: 'math' },
    { pupil: 'p2', course: 'math' },
    { pupil: 'p1', course: 'art' },
  ],
}

export const store = memory()
export const g = await open(graph('courses', [pupil, course, enrolled]), store, { listener })
await g.$batch(rows.pupil.map(each => g.pupil.put(each)))
await g.$batch(rows.course.map(each => g.course.put(each)))
await g.$batch(rows.enrolled.map(each => g.enrolled.put(each)))

export const asked = await show({
  title: 'Courses that hold the names of their pupils: shallow duplication',
  graph: g,
  store,
  rows,
  patterns: {
    'A course with its pupils': () => g.course.get('math'),
    'Several courses with theirs': () => g.course.many(['math', 'art']),
    'The courses of a pupil': () => g.enrolled.by.pupil('p1').all(),
    'One pupil of a course': () => g.enrolled.get({ pupil: 'p1', course: 'math' }),
  },
})

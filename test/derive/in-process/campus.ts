import { counter, edge, graph, node, string } from '../../../src/index.js'

const student = node('student', { id: string(), name: string() }, { id: 'id' })
const course = node('course', { title: string(), students: counter() }, { id: 'title' })
const takes = edge(
  'takes',
  { course, student },
  {},
  {
    count: { course: { into: 'students', by: 'stream' } },
    carry: { name: { from: 'student.name', sync: 'eventual' } },
  },
)

/** Students and courses. A course counts its students, and an edge carries the student's name. */
export const campus = graph('campus', [student, course, takes])

const counting = node('student', { id: string(), name: string(), courses: counter() }, { id: 'id' })
const counted = edge(
  'takes',
  { course, student: counting },
  {},
  {
    count: { course: { into: 'students', by: 'stream' }, student: { into: 'courses', by: 'stream' } },
    carry: { name: { from: 'student.name', sync: 'eventual' } },
  },
)

/** The same graph, in which a student counts courses too. */
export const recounted = graph('campus', [counting, course, counted])

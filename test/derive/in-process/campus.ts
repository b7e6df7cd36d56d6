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

/** Students and courses; a course counts its students, an edge carries the student's name. */
export const campus = graph('campus', [student, course, takes])

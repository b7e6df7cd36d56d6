import { counter, edge, graph, node, string } from 'edgewise'

const student = node('student', { id: string(), name: string() }, { id: 'id' })
const course = node('course', { id: string(), title: string(), students: counter() }, { id: 'id' })
const takes = edge(
  'takes',
  { course, student },
  {},
  {
    carry: { name: { from: 'student.name', sync: 'eventual', deleted: 'remove' } },
    count: { course: { into: 'students', by: 'stream' } },
  },
)

export const school = graph('students', [student, course, takes])

import { memory } from '../../../src/embedded.js'
import { open } from '../../../src/index.js'
import { campus } from './campus.js'

// Exits once all derived data is settled, although the graph is not closed.
const g = await open(campus, memory())
await g.course.put({ title: 'Math' })
await g.student.put({ id: 'a', name: 'A' })
await g.takes.put({ course: 'Math', student: 'a' })
await g.$settled()
console.log((await g.course.get('Math'))?.students)

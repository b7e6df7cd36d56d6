import { disk } from '../../../src/embedded.js'
import { open } from '../../../src/index.js'
import { campus } from './campus.js'

// Writes edges to a folder until it is killed, and prints each acknowledged number.
const [path = ''] = process.argv.slice(2)
const g = await open(campus, disk(path))
await g.course.put({ title: 'Math' })
for (let at = 0; ; at++) {
  await g.student.put({ id: `s${at}`, name: `Student ${at}` })
  await g.takes.put({ course: 'Math', student: `s${at}` })
  process.stdout.write(`${at}\n`)
}

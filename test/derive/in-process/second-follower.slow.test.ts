import { expect, it } from 'vitest'
import { follow } from '../../../src/derive/index.js'
import { memory } from '../../../src/embedded.js'
import { open } from '../../../src/index.js'
import { campus } from './campus.js'

it('settled() of a second follower in the group resolves while the follower of the store is idle', async () => {
  const store = memory()
  const g = await open(campus, store)
  await g.course.put({ title: 'Math' })
  await g.student.put({ id: 'a', name: 'Ann' })
  await g.$settled()
  const second = await follow(campus, store)
  try {
    await g.takes.put({ course: 'Math', student: 'a' })
    await second.settled()
    expect((await g.course.get('Math'))?.students).toBe(1)
    // No further writes come, so the follower of the store sleeps.
    await new Promise(resolve => setTimeout(resolve, 100))
    await second.settled()
  } finally {
    await second.stop()
    await g.$close()
  }
}, 30_000)

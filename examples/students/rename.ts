import { open, type Store, type Streams } from 'edgewise'
import { follow } from 'edgewise/derive'
import { school } from './graph.js'

/** Enrolls two students in two classes, renames one student, and returns the classes before and after. */
export async function rename(store: Store & Streams) {
  const g = await open(school, store, { create: true, follow: false })
  // The follower runs in the writers' process here. A separate process or a Lambda function works as well.
  const following = await follow(school, store, { create: true })
  const shown = async (id: string) => ({
    title: (await g.course.get(id))?.title,
    students: (await g.course.get(id))?.students,
    names: (await g.takes.by.course(id).consistent().all()).map(({ name }) => name),
  })
  try {
    await g.student.put({ id: 'tom', name: 'Tom' })
    await g.student.put({ id: 'ann', name: 'Ann' })
    await g.course.put({ id: 'math', title: 'Mathematics' })
    await g.course.put({ id: 'art', title: 'Art' })
    for (const course of ['math', 'art']) await g.takes.put({ course, student: 'tom' })
    await g.takes.put({ course: 'math', student: 'ann' })
    await following.settled()
    const before = [await shown('math'), await shown('art')]

    await g.student.update('tom', { name: 'Thomas' })
    await g.takes.delete({ course: 'math', student: 'ann' })
    await following.settled()
    return { before, after: [await shown('math'), await shown('art')], stats: following.stats() }
  } finally {
    await following.stop()
    await g.$close()
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { open } from '../../../src/index.js'
import { builtProgram } from '../../engine/disk/programs/build-program.js'
import { campus } from './campus.js'

const EDGES = 150

async function follower(program: string, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

it('processes that follow one table share its shards, and one takes over when another is killed', async () => {
  const store = memory({ streams: { shards: 4, splitAfterRecords: 60 } })
  const g = await open(campus, store)
  const { url, close } = await serve(store, { port: 0 })
  onTestFinished(() => close())
  const program = await builtProgram(new URL('run-follower.ts', import.meta.url))
  const first = await follower(program, url)
  await follower(program, url)
  await g.course.put({ title: 'Math' })
  for (let at = 0; at < EDGES; at++) {
    await g.student.put({ id: `s${at}`, name: `Student ${at}` })
    await g.takes.put({ course: 'Math', student: `s${at}` })
    if (at === EDGES / 2) first.kill('SIGKILL')
  }
  await g.student.update('s0', { name: 'Ann' })
  const options = { timeout: 90_000, interval: 200 }
  await expect.poll(async () => (await g.course.get('Math'))?.students, options).toBe(EDGES)
  await expect.poll(async () => (await g.takes.get({ course: 'Math', student: 's0' }))?.name, options).toBe('Ann')
})

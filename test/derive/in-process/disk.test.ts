import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { disk } from '../../../src/embedded.js'
import { open } from '../../../src/index.js'
import { builtProgram } from '../../engine/disk/programs/build-program.js'
import { temporaryFolder } from '../../engine/disk/temporary-folder.js'
import { campus } from './campus.js'

/** Runs a process that writes edges and is killed after this many acknowledgements. Returns the last number. */
async function killedAfter(program: string, path: string, edges: number): Promise<number> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.split('\n').length > edges) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return Number(printed.trimEnd().split('\n').at(-1))
}

/** Records the warnings of this process from now on. */
function heard(): string[] {
  const warnings: string[] = []
  const listener = ({ message }: Error) => warnings.push(message)
  process.on('warning', listener)
  onTestFinished(() => void process.off('warning', listener))
  return warnings
}

describe('a graph on a folder', () => {
  it('resumes at its checkpoint after a crash and counts every edge once', async () => {
    const path = temporaryFolder()
    const program = await builtProgram(new URL('enroll-students.ts', import.meta.url))
    for (const edges of [20, 60]) {
      const last = await killedAfter(program, path, edges)
      const store = disk(path)
      const g = await open(campus, store)
      await g.$settled()
      const takes = await g.takes.by.course('Math').all()
      expect(takes.length).toBeGreaterThan(last)
      expect((await g.course.get('Math'))?.students).toBe(takes.length)
      expect(takes.every(({ student, name }) => name === `Student ${student.slice(1)}`)).toBe(true)
      await g.$close()
      await store.close()
    }
  })

  it('stops its follower when the store is closed', async () => {
    const store = disk(temporaryFolder())
    const g = await open(campus, store)
    await g.course.put({ title: 'Math' })
    await g.student.put({ id: 'a', name: 'A' })
    await g.takes.put({ course: 'Math', student: 'a' })
    await store.close()
    await expect(g.$settled()).rejects.toThrow()
  })

  for (const other of ['the store', 'the graph'] as const)
    it(`stops before its store is closed, also if ${other} is closed at the same time`, async () => {
      const warnings = heard()
      for (let round = 0; round < 5; round++) {
        const store = disk(temporaryFolder(), { sync: false })
        const g = await open(campus, store)
        await g.course.put({ title: 'Math' })
        const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
        await Promise.all(ids.map(id => g.student.put({ id, name: id })))
        await Promise.all(ids.map(student => g.takes.put({ course: 'Math', student })))
        await Promise.all([other === 'the store' ? store.close() : g.$close(), store.close()])
      }
      await new Promise(setImmediate)
      expect(warnings).toEqual([])
    })

  it('has no gap after days without writes while it was closed', async () => {
    const path = temporaryFolder()
    let nowMs = Date.parse('2026-01-01T00:00:00Z')
    const now = () => nowMs
    const warnings = heard()
    for (const id of ['a', 'b']) {
      const store = disk(path, { now })
      const g = await open(campus, store, { clock: now })
      await g.course.put({ title: 'Math' })
      await g.student.put({ id, name: id })
      await g.takes.put({ course: 'Math', student: id })
      await g.$settled()
      await g.$close()
      await store.close()
      nowMs += 3 * 24 * 3600 * 1000
    }
    const store = disk(path, { now })
    const g = await open(campus, store, { clock: now })
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(2)
    await g.$close()
    await store.close()
    expect(warnings.filter(message => message.includes('missed'))).toEqual([])
  })
})

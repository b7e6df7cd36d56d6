import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, symlinkSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { builtProgram } from './programs/build-program.js'
import { temporaryFolder } from './temporary-folder.js'

let program = ''
beforeAll(async () => {
  program = await builtProgram(new URL('programs/hold-folder.ts', import.meta.url))
})

/** Starts another process that has the folder open. */
async function holder(path: string) {
  const child = spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describe('exclusive access to a folder', () => {
  it('a second process fails with the ID of the process that has the folder open', async () => {
    const path = temporaryFolder()
    const child = await holder(path)
    expect(() => disk(path)).toThrow(
      `${path}: the folder is already open in process ${child.pid}; close it there first.`,
    )
  })

  it('a killed process releases the folder, and its writes remain', async () => {
    const path = temporaryFolder()
    const child = await holder(path)
    expect(() => disk(path)).toThrow('is already open in process')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = disk(path)
    expect((await store.scan({ TableName: 'held' })).Items).toEqual([{ pk: { S: 'one' } }])
    await store.close()
  })

  it('the same process cannot open a folder twice, but can reopen it after closing', async () => {
    const path = temporaryFolder()
    const store = disk(path)
    expect(() => disk(path)).toThrow(`${path}: the folder is already open in this process; close it there first.`)
    symlinkSync(path, `${path}-other`)
    onTestFinished(() => rmSync(`${path}-other`))
    expect(() => disk(`${path}-other`)).toThrow(': the folder is already open in this process')
    expect((await store.listTables({})).TableNames).toEqual([])
    const { status, stderr } = spawnSync(process.execPath, [program, path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining(`is already open in process ${process.pid}`)])
    await store.close()
    const again = disk(path)
    expect((await again.listTables({})).TableNames).toEqual([])
    await again.close()
  })

  it('a failure due to invalid options does not leave the folder open', async () => {
    const path = temporaryFolder()
    expect(() => disk(path, { transitionMs: -1 })).toThrow(RangeError)
    expect(() => disk(path, { streams: { shards: 0 } })).toThrow(RangeError)
    const store = disk(path)
    expect((await store.listTables({})).TableNames).toEqual([])
    await store.close()
  })

  it('at most one of several processes that open a folder concurrently succeeds', async () => {
    const path = temporaryFolder()
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, [program, path]))
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL')
    })
    const outcomes = await Promise.all(
      children.map(child =>
        Promise.race([once(child.stdout, 'data').then(() => 'open'), once(child, 'exit').then(() => 'refused')]),
      ),
    )
    expect(outcomes.filter(outcome => outcome === 'open').length).toBeLessThanOrEqual(1)
  })
})

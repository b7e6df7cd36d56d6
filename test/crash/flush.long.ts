import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { disk } from '../../src/engine/index.js'
import { builtProgram } from '../engine/disk/programs/build-program.js'
import { temporaryFolder } from '../engine/disk/temporary-folder.js'
import { keyText, TABLE } from './table.js'

/** Returns the system calls in order: `write`s of the program's own lines, and flushes. */
async function traced(sync: boolean): Promise<string[]> {
  const program = await builtProgram(new URL('announce-writes.ts', import.meta.url))
  const folder = temporaryFolder()
  const trace = join(folder, 'trace')
  const calls = 'trace=write,fsync,fdatasync,msync'
  const words = ['-f', '-e', calls, '-o', trace, process.execPath, program, join(folder, 'store'), String(sync)]
  const { status, stderr } = spawnSync('strace', words, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return readFileSync(trace, 'utf8').match(
    /(?<=write\(1, ")(?:sent|together|acknowledged)|f(?:data)?sync(?=\(.*= 0|.*resumed.*= 0)/g,
  )!
}

const hasStrace = spawnSync('strace', ['--version']).status === 0

it('a stored write whose flush failed is reported as possibly stored', async context => {
  context.skip(!hasStrace, 'strace is not installed')
  const program = await builtProgram(new URL('report-failed-writes.ts', import.meta.url))
  const words = ['-f', '-o', '/dev/null', '-e', 'inject=fdatasync:error=EIO:when=3']
  const { stdout } = spawnSync('strace', [...words, process.execPath, program, temporaryFolder()], { encoding: 'utf8' })
  const { failed, there, count } = JSON.parse(stdout)
  expect(Object.keys(failed).length).toBeGreaterThan(0)
  for (const [key, message] of Object.entries(failed)) {
    expect(message).toMatch(/: the write was not flushed and may or may not have been stored; /)
    expect(there).toContain(key)
  }
  expect([there.length, count]).toEqual([20, 20])
})

it('if the meta pages cannot be written, all writes are rejected and acknowledged ones remain after reopening', async context => {
  context.skip(!hasStrace, 'strace is not installed')
  const program = await builtProgram(new URL('report-acknowledged-writes.ts', import.meta.url))
  let refused = 0
  for (let when = 3; when <= 14; when++) {
    const path = temporaryFolder()
    const words = ['-f', '-o', '/dev/null', '-P', join(path, 'data.mdb'), '-e', 'trace=pwrite64']
    const fault = ['-e', `inject=pwrite64:error=ENOSPC:when=${when}`]
    const { stdout } = spawnSync('strace', [...words, ...fault, process.execPath, program, path], { encoding: 'utf8' })
    const { acknowledged, read } = JSON.parse(stdout)
    if (typeof read === 'string') refused++
    else expect(read).toEqual(acknowledged)
    const store = disk(path)
    const { Items } = await store.scan({ TableName: TABLE.TableName })
    expect(Items!.map(keyText).sort()).toEqual(expect.arrayContaining(acknowledged))
    await store.close()
  }
  expect(refused).toBeGreaterThan(0)
})

describe('flushes before an acknowledgement', () => {
  it('a write with sync is flushed before it is acknowledged', async context => {
    context.skip(!hasStrace, 'strace is not installed')
    const calls = (await traced(true)).join(' ')
    expect(calls.match(/sent/g)).toHaveLength(5)
    expect(calls.match(/sent (?:f(?:data)?sync )+acknowledged/g)).toHaveLength(5)
  })

  it('a hundred concurrent writes with sync share one or two flushes', async context => {
    context.skip(!hasStrace, 'strace is not installed')
    const calls = (await traced(true)).join(' ')
    expect(calls).toMatch(/together (?:f(?:data)?sync ){1,2}acknowledged/)
  })

  it('writes without sync are acknowledged without a flush', async context => {
    context.skip(!hasStrace, 'strace is not installed')
    const calls = (await traced(false)).join(' ')
    expect(calls.match(/sent acknowledged/g)).toHaveLength(5)
    expect(calls).toContain('together acknowledged')
  })
})

import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { defined, key, request } from '../tables.js'
import { builtProgram } from './programs/build-program.js'
import { temporaryFolder } from './temporary-folder.js'

const LIMIT_KILOBYTES = 2000
const canLimit = spawnSync('prlimit', ['--version']).status === 0

it('on a full disk a write fails, acknowledged writes remain, and the store continues once space is free', async context => {
  context.skip(!canLimit, 'prlimit is not installed')
  const path = temporaryFolder()
  const program = await builtProgram(new URL('programs/fill-disk.ts', import.meta.url))
  const script = `ulimit -Sf ${LIMIT_KILOBYTES}; exec "$0" "$@"`
  const { stdout, status } = spawnSync('bash', ['-c', script, process.execPath, program, path], { encoding: 'utf8' })
  expect(status).toBe(0)
  const { acknowledged, full, message, again } = JSON.parse(stdout)
  expect([message, again]).toEqual(Array(2).fill(expect.stringMatching(/^.*: nothing was written; /)))
  expect(full).toBe(acknowledged - 1)
  const store = disk(path)
  const found: number[] = []
  for (let n = 0; n < acknowledged; n++) {
    const { Item } = await store.getItem({ TableName: 'filled', Key: { pk: { N: String(n) } } })
    if (Item?.filling?.S?.length === 100_000) found.push(n)
  }
  expect(found).toEqual(Array.from({ length: acknowledged }, (_, n) => n))
  expect((await store.describeTable({ TableName: 'filled' })).Table!.ItemCount).toBe(acknowledged)
  await store.close()
})

const TINY_DISK = 'mkdir -p "$2" && mount -t tmpfs -o size=4m tmpfs "$2"'
const canMountTiny = spawnSync('unshare', ['-rm', 'bash', '-c', TINY_DISK, '', '', tmpdir()]).status === 0

it('a write on a full disk reports it, prints nothing, and succeeds once space is free', async context => {
  context.skip(!canMountTiny, 'no small disk can be mounted')
  const program = await builtProgram(new URL('programs/fill-mounted-disk.ts', import.meta.url))
  const script = `${TINY_DISK} && exec "$0" "$@"`
  const command = ['-rm', 'bash', '-c', script, process.execPath, program, temporaryFolder()]
  const { stdout, stderr, status } = spawnSync('unshare', command, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { path, messages, acknowledged, afterwards } = JSON.parse(stdout)
  const message = `${path}: nothing was written; the disk is full (Input/output error), so free some space and write again.`
  expect(messages).toEqual([message, message])
  expect(acknowledged).toBeGreaterThan(10)
  expect(afterwards).toBe('written')
})

const SMALL_DISK = 'mount -t tmpfs -o size=16k tmpfs "$2"'
const canMount = spawnSync('unshare', ['-rm', 'bash', '-c', SMALL_DISK, '', '', tmpdir()]).status === 0

it('opening a new folder on a full disk fails without crashing the process', async context => {
  context.skip(!canMount, 'no disk can be made that is full')
  const path = temporaryFolder()
  const program = await builtProgram(new URL('programs/probe-folder.ts', import.meta.url))
  const script = `${SMALL_DISK} && exec "$0" "$@"`
  const { stdout, signal, status } = spawnSync(
    'unshare',
    ['-rm', 'bash', '-c', script, process.execPath, program, path],
    { encoding: 'utf8' },
  )
  expect({ stdout, signal, status }).toEqual({
    stdout: `${path}: the folder cannot be opened because its disk is full; free some space.\n`,
    signal: null,
    status: 0,
  })
})

it('expired items stay readable while they cannot be deleted', async () => {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  let isFull = false
  const splitWhen = () => {
    // Simulates a failing commit: this function runs within the transaction.
    if (isFull) throw new Error('no room')
    return false
  }
  const store = disk(temporaryFolder(), { now: () => clock.ms, expiryDelayMs: 0, streams: { splitWhen } })
  const TableName = 'expiring'
  const Key = { pk: { S: 'one' } }
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
  const keys = { AttributeDefinitions: defined('pk'), KeySchema: key('pk') }
  await store.createTable(request({ TableName, ...keys, StreamSpecification }))
  await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
  const Item = { ...Key, until: { N: String(clock.ms / 1000 + 60) } }
  await store.putItem({ TableName, Item })
  clock.ms += 60_000
  isFull = true
  expect((await store.getItem({ TableName, Key })).Item).toEqual(Item)
  await expect(store.putItem({ TableName, Item: { pk: { S: 'two' } } })).rejects.toThrow('no room')
  isFull = false
  expect((await store.getItem({ TableName, Key })).Item).toBeUndefined()
  await store.close()
})

import { expect, expectTypeOf, it } from 'vitest'
import type {
  ConsumerOptions,
  DeadLetterOptions,
  FollowOptions,
  LambdaOptions,
  ReplayOptions,
} from '../../src/derive/index.js'
import { type DiskOptions, type MemoryOptions, memory } from '../../src/embedded.js'
import type { ServeOptions } from '../../src/http/index.js'
import { edge, graph, node, type OpenOptions, open, string } from '../../src/index.js'
import {
  type ApplyOptions,
  type BackfillOptions,
  backfill,
  type DeployOptions,
  type DumpOptions,
  dump,
  type FinishOptions,
  finishDeletes,
  type LoadOptions,
  load,
  repair,
  type VerifyOptions,
  verify,
} from '../../src/jobs/index.js'

/** Options with all members undefined, as from a configuration with missing values. */
type Unset<Options> = { readonly [Name in keyof Options]-?: undefined }

function unset<Options>(...names: (keyof Options)[]): Unset<Options> {
  return Object.fromEntries(names.map(name => [name, undefined])) as Unset<Options>
}

it('every option treats undefined as absent', async () => {
  const store = memory(unset<MemoryOptions>('region', 'now', 'seed', 'indexLag', 'throttle', 'heat', 'streams'))
  const user = node('user', { id: string() }, { id: 'id' })
  const follows = edge('follows', { one: user, other: user })
  const people = graph('people', [user, follows])
  const options = unset<OpenOptions>(
    'table',
    'create',
    'drift',
    'caps',
    'retry',
    'listener',
    'follow',
    'clock',
    'random',
  )
  const g = await open(people, store, options)
  await g.user.put({ id: 'a' })
  const looking = unset<VerifyOptions>('type', 'id', 'tenant', 'cursor', 'signal', 'progress', 'onFault')
  expect(await verify(g, looking)).toMatchObject({ read: 2, faults: {} })
  expect(await repair(g, looking)).toMatchObject({ read: 2, faults: {} })
  const rows: unknown[] = []
  const taken = unset<DumpOptions>('from', 'segments', 'consistent', 'types', 'tenant', 'signal')
  await dump(g, page => void rows.push(...page.rows), taken)
  expect(rows).toHaveLength(1)
  await load(g, [], unset<LoadOptions>('existing', 'concurrency', 'signal', 'failed', 'progress'))
  await finishDeletes(g, unset<FinishOptions>('signal', 'progress'))
  await backfill(people, store, unset<BackfillOptions>('from', 'table', 'retry', 'signal', 'progress'))
})

it('the types accept undefined options with exact optional properties', () => {
  expectTypeOf<Unset<MemoryOptions>>().toExtend<MemoryOptions>()
  expectTypeOf<Unset<DiskOptions>>().toExtend<DiskOptions>()
  expectTypeOf<Unset<OpenOptions>>().toExtend<OpenOptions>()
  expectTypeOf<Unset<ServeOptions>>().toExtend<ServeOptions>()
  expectTypeOf<Unset<FollowOptions>>().toExtend<FollowOptions>()
  expectTypeOf<Unset<ConsumerOptions>>().toExtend<ConsumerOptions>()
  expectTypeOf<Unset<LambdaOptions>>().toExtend<LambdaOptions>()
  expectTypeOf<Unset<DeadLetterOptions>>().toExtend<DeadLetterOptions>()
  expectTypeOf<Unset<ReplayOptions>>().toExtend<ReplayOptions>()
  expectTypeOf<Unset<ApplyOptions>>().toExtend<ApplyOptions>()
  expectTypeOf<Unset<DeployOptions>>().toExtend<DeployOptions>()
  expectTypeOf<Unset<BackfillOptions>>().toExtend<BackfillOptions>()
  expectTypeOf<Unset<DumpOptions>>().toExtend<DumpOptions>()
  expectTypeOf<Unset<FinishOptions>>().toExtend<FinishOptions>()
  expectTypeOf<Unset<LoadOptions>>().toExtend<LoadOptions>()
  expectTypeOf<Unset<VerifyOptions>>().toExtend<VerifyOptions>()
})

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { disk, memory } from '../../src/engine/index.js'
import { temporaryFolder } from './disk/temporary-folder.js'

it('memory() rejects a path, because its data would be lost', () => {
  expect(() => memory('./data' as never)).toThrow("use disk('./data') to store data in a folder")
})

it('disk() requires the path of a folder', () => {
  expect(() => disk(undefined as never)).toThrow('disk(): a folder path is required')
  expect(() => disk({ path: './data' } as never)).toThrow('disk(): a folder path is required')
  expect(() => disk('')).toThrow('disk(): a folder path is required')
  expect(() => disk('./data', true as never)).toThrow('the options must be an object')
})

const OVERLOOKED: readonly (readonly [object, string])[] = [
  [{ lag: 5 }, 'lag'],
  [{ streams: { shard: 2 } }, 'shard'],
  [{ streams: { lag: { ms: 1, jitter: 2 } } }, 'jitter'],
  [{ indexLag: { ms: 1, jitter: 2 } }, 'jitter'],
  [{ conflicts: { ms: 1, jitter: 2 } }, 'jitter'],
  [{ throttle: { burst: 5 } }, 'burst'],
  [{ heat: { key: 5 } }, 'key'],
]

it.each(OVERLOOKED)('an unknown option is rejected: %j', (options, name) => {
  const refused = new RegExp(`: there is no option '${name}'; use only .`)
  expect(() => memory(options)).toThrow(refused)
  const path = temporaryFolder()
  expect(() => disk(path, options)).toThrow(refused)
  expect(readdirSync(path)).toEqual([])
})

it('the option sync exists only for disk()', async () => {
  expect(() => memory({ sync: false } as never)).toThrow("memory(): there is no option 'sync'; use only region, ")
  expect(() => disk(temporaryFolder(), { snc: false } as never)).toThrow(
    "disk(): there is no option 'snc'; use only sync, ",
  )
  await disk(temporaryFolder(), { sync: false }).close()
})

it('undefined options count as absent, and null is rejected', async () => {
  const none = { region: undefined, streams: undefined, throttle: undefined, heat: undefined, indexLag: undefined }
  expect((await memory({ ...none, streams: { shards: undefined } }).listTables({})).TableNames).toEqual([])
  await disk(temporaryFolder(), { ...none, sync: undefined }).close()
  expect(() => memory(null as never)).toThrow('memory(): the options must be an object')
  expect(() => disk(temporaryFolder(), null as never)).toThrow('the options must be an object')
})

import { expect, it } from 'vitest'
import { disk, memory } from '../../src/engine/index.js'

it('a path is no option of a store in memory, which would lose all that is written', () => {
  expect(() => memory('./data' as never)).toThrow('a folder that keeps its data is disk(path)')
})

it('a store on disk needs the path of a folder', () => {
  expect(() => disk(undefined as never)).toThrow('disk() takes the path of a folder')
  expect(() => disk({ path: './data' } as never)).toThrow('disk() takes the path of a folder')
  expect(() => disk('./data', true as never)).toThrow('options by name')
})

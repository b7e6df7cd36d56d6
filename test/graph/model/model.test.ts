import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { WAYS, waysOf } from './schemas/features.js'
import { anySchema, anyStreamedSchema } from './schemas/random-schemas.js'
import { equalsModel, runs } from './suite.js'

it('each way of keeping things is in at least one of twenty schemas', () => {
  const schemas = fc.sample(anySchema, 600)
  const ways = schemas.flatMap(schema => [...waysOf(schema)])
  const share = (way: string) => ways.filter(each => each === way).length / schemas.length
  expect(WAYS.filter(way => share(way) < 0.05)).toEqual([])
})

it('any operations on any graph answer as plain rows do, and leave nothing else in the table', async () => {
  await equalsModel(memory, 40, runs(60))
})

it('so they do where the stream keeps counters and copies, once its consumer has had its records', async () => {
  await equalsModel(memory, 40, runs(40), anyStreamedSchema)
})

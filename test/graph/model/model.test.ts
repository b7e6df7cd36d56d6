import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { WAYS, waysOf } from './schemas/features.js'
import { anySchema, anyStreamedSchema } from './schemas/random-schemas.js'
import { equalsModel, runs } from './suite.js'

it('every kind of storage occurs in at least one of twenty random schemas', () => {
  const schemas = fc.sample(anySchema, 600)
  const ways = schemas.flatMap(schema => [...waysOf(schema)])
  const share = (way: string) => ways.filter(each => each === way).length / schemas.length
  expect(WAYS.filter(way => share(way) < 0.05)).toEqual([])
})

it('random operations on random graphs equal the reference model and leave nothing else in the table', async () => {
  await equalsModel(memory, 40, runs(60))
})

it('random operations with stream data equal the reference model after the consumer has processed all records', async () => {
  await equalsModel(memory, 40, runs(40), anyStreamedSchema)
})

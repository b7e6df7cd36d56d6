import { expect, test } from 'vitest'
import { constraints } from '../../../src/dynamodb/model/list.js'
import { OPERATION_NAMES } from '../../../src/dynamodb/model/operations.js'
import { sampleRequest } from '../../../src/store/contract/samples.js'
import { violations } from '../../../src/store/contract/violations.js'
import { refusal } from '../../engine/request/refusal.js'

test.each(OPERATION_NAMES)('the sample of %s keeps every constraint', operation => {
  expect(refusal(operation, sampleRequest(operation))).toBeUndefined()
})

test('every constraint has one request that breaks it', () => {
  const ids = violations().map(({ id }) => id)
  expect(ids).toEqual(constraints().map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(violations())('$id is refused in the words of the service', ({ operation, request, error, message }) => {
  expect(refusal(operation, request)).toEqual({ name: error, message })
})

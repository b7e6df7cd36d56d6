import { expect, test } from 'vitest'
import { listModelViolations } from '../../src/contract/model/model-violations.js'
import { sampleRequest } from '../../src/contract/model/sample-request.js'
import { listConstraints } from '../../src/dynamodb/model/list.js'
import { OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { refusal } from '../engine/request/refusal.js'

test.each(OPERATION_NAMES)('the sample request of %s satisfies every constraint', operation => {
  expect(refusal(operation, sampleRequest(operation))).toBeUndefined()
})

test('every constraint has one request that violates it', () => {
  const ids = listModelViolations().map(({ id }) => id)
  expect(ids).toEqual(listConstraints().map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(listModelViolations())(
  "$id is rejected with the service's message",
  ({ operation, request, error, message }) => {
    expect(refusal(operation, request)).toEqual({ name: error, message })
  },
)

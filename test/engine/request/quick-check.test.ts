import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleRequest } from '../../../src/contract/model/sample-request.js'
import { MODEL, OPERATION_NAMES } from '../../../src/dynamodb/model/operations.js'
import { checkShape } from '../../../src/engine/request/check-shape.js'
import { checkMemberTypes } from '../../../src/engine/request/check-types.js'
import { compileShape } from '../../../src/engine/request/compile-shape.js'
import { findViolationMessage } from '../../../src/engine/request/violations.js'
import { refusal } from './refusal.js'

/** A request with a few random changes of values. */
const mangled = fc
  .record({
    operation: fc.constantFrom(...OPERATION_NAMES),
    changes: fc.array(fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 })), {
      maxLength: 3,
    }),
  })
  .map(({ operation, changes }) => {
    const request = sampleRequest(operation)
    for (const [steps, value] of changes) change(request, steps, value)
    return { operation, request }
  })

function change(container: Record<string, unknown>, [step, ...rest]: number[], value: unknown): void {
  const keys = Object.keys(container)
  if (keys.length === 0) return
  const key = keys[step! % keys.length]!
  const inner = container[key]
  if (rest.length > 0 && typeof inner === 'object' && inner !== null)
    change(inner as Record<string, unknown>, rest, value)
  else container[key] = value
}

test('the quick check accepts exactly the requests without errors in the detailed check, nulls removed', () => {
  fc.assert(
    fc.property(mangled, ({ operation, request }) => {
      const accepts = compileShape(MODEL[operation])
      if (accepts(request)) expect(findsFault(operation, request)).toBe(false)
      else if (refusal(operation, request) === undefined) expect(accepts(checkShape(operation, request))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a null counts as an absent member at any depth', () => {
  const request = {
    TableName: 'tab',
    KeySchema: null,
    ReturnConsumedCapacity: null,
    TransactItems: [{ Put: null, Delete: { TableName: 'tab', Key: { a: { S: 'b' } }, ConditionExpression: null } }],
  }
  expect(checkShape('TransactWriteItems', request)).toEqual({
    TableName: 'tab',
    TransactItems: [{ Delete: { TableName: 'tab', Key: { a: { S: 'b' } } } }],
  })
})

function findsFault(operation: (typeof OPERATION_NAMES)[number], request: Record<string, unknown>): boolean {
  try {
    checkMemberTypes(MODEL[operation], request, 'field')
  } catch {
    return true
  }
  return findViolationMessage(MODEL[operation], request) !== undefined
}

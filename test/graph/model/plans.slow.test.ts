import assert from 'node:assert/strict'
import { afterEach, expect, it, vi } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { GraphCall } from '../../../src/graph/calls/call.js'
import { anySchema, anyStreamedSchema } from './schemas/random-schemas.js'
import { equalsModel, runs } from './suite.js'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Throws if a value contains a function, a getter, or an object that is neither plain nor a list nor bytes. */
function assertPlain(value: unknown): void {
  assert.notEqual(typeof value, 'function')
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
  assert([Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value)))
  for (const { get, value: member } of Object.values(Object.getOwnPropertyDescriptors(value))) {
    assert.equal(get, undefined)
    assertPlain(member)
  }
}

/** Checks the plan of every call of an opened graph, before it is priced. Returns the number of steps by operation. */
function checkPlans(): Map<string, number> {
  const counts = new Map<string, number>()
  const { takeIntent } = GraphCall.prototype
  vi.spyOn(GraphCall.prototype, 'takeIntent').mockImplementation(function (this: GraphCall<unknown>) {
    const intent = takeIntent.call(this)
    const { plan } = intent
    return {
      ...intent,
      plan(...parameters) {
        const planned = plan.apply(intent, parameters)
        assertPlain(planned)
        assert.deepStrictEqual(structuredClone(planned), planned)
        for (const { request } of planned.steps) counts.set(request.operation, (counts.get(request.operation) ?? 0) + 1)
        return planned
      },
      run(...parameters) {
        // Invalid calls have no plan; they reject when they run.
        try {
          this.plan()
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
        }
        return intent.run(...parameters)
      },
    }
  })
  return counts
}

it('a copy of the plan of any call on a random graph equals the plan', async () => {
  const counts = checkPlans()
  await equalsModel(memory, 40, runs(25), anySchema)
  await equalsModel(memory, 40, runs(10), anyStreamedSchema)
  const operations = ['getItem', 'batchGetItem', 'query', 'scan', 'putItem', 'updateItem', 'deleteItem']
  for (const operation of [...operations, 'transactWriteItems'])
    expect(counts.get(operation), operation).toBeGreaterThan(10)
})

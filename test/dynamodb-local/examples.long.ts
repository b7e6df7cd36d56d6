import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Asked } from '../../examples/print.js'
import type { Store } from '../../src/store/port.js'
import { exampleNames } from '../examples/example-names.js'
import { embedded, localClient } from './local-client.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.doUnmock('edgewise/engine')
  vi.resetModules()
})

interface Example {
  readonly asked: readonly Asked[]
  readonly store: Store
}

async function run(name: string): Promise<Example> {
  vi.resetModules()
  vi.spyOn(console, 'log').mockReturnValue()
  return await import(`../../examples/${name}/${name}.ts`)
}

async function runLocally(name: string): Promise<readonly Asked[]> {
  vi.doMock('edgewise/engine', () => ({ memory: () => embedded(localClient()) }))
  const { asked, store } = await run(name)
  expect(store).toBeInstanceOf(DynamoDB)
  return asked
}

describe.each(exampleNames())('the example of %s on DynamoDB Local', name => {
  it('an example sends the same requests and receives the same responses as in memory', async () => {
    const inMemory = (await run(name)).asked
    const compared = ({ what, sent, value, requests }: Asked) => ({ what, sent, value, requests })
    expect((await runLocally(name)).map(compared)).toEqual(inMemory.map(compared))
    expect(inMemory.length).toBeGreaterThan(0)
  })

  it('an example consumes the same capacity, except for reads that find nothing', async () => {
    const inMemory = (await run(name)).asked
    for (const [i, { consumed }] of (await runLocally(name)).entries()) {
      expect(consumed.total).toBeLessThanOrEqual(inMemory[i]!.consumed.total)
      expect(consumed.total).toBeGreaterThan(0)
    }
  })
})

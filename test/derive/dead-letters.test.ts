import { describe, expect, it } from 'vitest'
import { deadLetters, replay } from '../../src/derive/dead-letters/replay.js'
import { putDeadLetter, readDeadLetters } from '../../src/derive/dead-letters/storage.js'
import type { ChangeRecord } from '../../src/dynamodb/operation-types.js'
import { memory } from '../../src/engine/memory.js'
import { consumersDesign } from '../../src/table/production/consumers-table.js'
import { toCreateTableInput } from '../../src/table/table-definition.js'
import { names, noting, scene } from './follow/follower-fixture.js'

describe('dead letters', () => {
  it('a replay removes dead letters after their fault was repaired', async () => {
    const { write, follow, time, store } = await scene()
    const consumer = noting()
    const isOdd = (name: string) => /[13]$/.test(name)
    consumer.fails = name => (isOdd(name) ? new Error('poison') : undefined)
    await write(...names(4))
    const follower = await follow(consumer, { attempts: 1 })
    await time.until(follower.settled())
    await follower.stop()

    const listed = async () => {
      const letters = []
      for await (const letter of deadLetters(consumer, store)) letters.push(letter)
      return letters
    }
    const [first, second] = await listed()
    expect([first, second].map(letter => letter?.record.dynamodb?.Keys?.PK?.S)).toEqual(['a1', 'a3'])
    expect(await replay(consumer, store)).toMatchObject({
      handled: 0,
      failures: [{ letter: first }, { letter: second }],
    })

    consumer.fails = () => undefined
    expect(await replay(consumer, store, { ids: [second!.id] })).toEqual({ handled: 1, failures: [] })
    expect((await listed()).map(({ id }) => id)).toEqual([first!.id])
    expect(await replay(consumer, store)).toEqual({ handled: 1, failures: [] })
    expect(await listed()).toEqual([])
    expect(consumer.seen).toEqual(['a0', 'a2', 'a3', 'a1'])
  })

  it("dead letters are replayed to the option 'records', and stay while it fails", async () => {
    const { write, follow, time, store } = await scene()
    const consumer = noting()
    const fed: (string | undefined)[] = []
    let isBroken = true
    const records = (all: readonly ChangeRecord[]) => {
      if (isBroken) throw new Error('no index to write to')
      fed.push(...all.map(({ dynamodb }) => dynamodb?.Keys?.PK?.S))
    }
    await write(...names(2))
    const follower = await follow(consumer, { group: 'feed', attempts: 1, records })
    await time.until(follower.settled())
    await follower.stop()
    const again = () => replay(consumer, store, { group: 'feed', records })
    expect(await again()).toMatchObject({ handled: 0, failures: [{ error: { message: 'no index to write to' } }, {}] })
    isBroken = false
    expect(await again()).toEqual({ handled: 2, failures: [] })
    expect(fed).toEqual(names(2))
    expect(await again()).toEqual({ handled: 0, failures: [] })
  })

  it('a replay skips dead letters that are removed during the read, or incomplete after a crash', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(consumersDesign('dead-letters')))
    const place = { store, table: 'dead-letters', group: 'g' }
    const text = { S: 'x'.repeat(150_000) }
    const about = { shard: 's', error: 'poison', attempts: 1, at: new Date(0) }
    for (const SequenceNumber of ['1', '2', '3'])
      await putDeadLetter(place, { ...about, record: { dynamodb: { SequenceNumber, NewImage: { text } } } })
    for (const sort of ['s#1#0001', 's#2#0000'])
      await store.deleteItem({ TableName: 'dead-letters', Key: { PK: { S: 'g#dead' }, SK: { S: sort } } })
    const read: string[] = []
    for await (const { id } of readDeadLetters(place)) read.push(id)
    expect(read).toEqual(['s#3'])
  })
})

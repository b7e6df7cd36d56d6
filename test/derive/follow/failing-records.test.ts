import { describe, expect, it } from 'vitest'
import { replay } from '../../../src/derive/dead-letters/replay.js'
import { readDeadLetters } from '../../../src/derive/dead-letters/storage.js'
import type { Consumer } from '../../../src/derive/port.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { names, noting, scene, TABLE } from './follower-fixture.js'

async function lettersOf({ store }: Awaited<ReturnType<typeof scene>>) {
  const letters = []
  const place = { store, table: `${TABLE}-consumers`, group: 'derived' }
  for await (const letter of readDeadLetters(place)) letters.push(letter)
  return letters
}

describe('a failing record', () => {
  it('a failing record is retried alone, without the rest of its batch', async () => {
    const { write, follow, time } = await scene()
    const consumer = noting()
    let failures = 2
    consumer.fails = name => (name === 'a1' && failures-- > 0 ? new Error('not yet') : undefined)
    await write(...names(4))
    const follower = await follow(consumer)
    await time.until(follower.settled())
    expect(consumer.batches[0]).toEqual(names(4))
    expect(consumer.batches.slice(1).every(batch => batch.join() === 'a1')).toBe(true)
    expect(consumer.seen.sort()).toEqual(names(4))
    expect(follower.stats()).toMatchObject({ deadLettered: 0, applied: 4 })
    await follower.stop()
  })

  it('becomes a dead letter after its attempts, and the shard continues', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    consumer.fails = name => (name === 'a1' ? new Error('poison') : undefined)
    await write(...names(3))
    const follower = await follow(consumer, { attempts: 3 })
    await time.until(follower.settled())
    await write('z')
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['a0', 'a2', 'z'])
    expect(follower.stats()).toMatchObject({ deadLettered: 1, failed: 3 })
    const [letter, ...more] = await lettersOf(made)
    expect(more).toEqual([])
    expect(letter).toMatchObject({ attempts: 3, error: 'Error: poison' })
    expect(letter?.record).toMatchObject({ eventName: 'INSERT', dynamodb: { Keys: { PK: { S: 'a1' } } } })
    expect(letter?.record.dynamodb?.ApproximateCreationDateTime).toBeInstanceOf(Date)
    await follower.stop()
  })

  it("a failing record is not passed to 'records' before it is handled, and 'records' is never called without records", async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    consumer.fails = () => (consumer.batches.length < 3 ? new Error('not yet') : undefined)
    await write('a0')
    const fed: string[][] = []
    const records = (given: readonly ChangeRecord[]) => {
      if (given.length === 0) throw new Error('there must be at least one entry')
      fed.push(given.map(({ dynamodb }) => dynamodb?.Keys?.PK?.S ?? ''))
    }
    const follower = await follow(consumer, { attempts: 5, records })
    await time.until(follower.settled())
    expect(fed).toEqual([['a0']])
    const errors = follower.events.flatMap(event => (event.kind === 'failed' ? [`${event.error}`] : []))
    expect(errors).toEqual(['Error: not yet', 'Error: not yet'])
    await follower.stop()
  })

  it('a failing record is found if the consumer reports a copy of the record', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    consumer.fails = name => (name === 'a1' ? new Error('poison') : undefined)
    const copying: Consumer = {
      layout: consumer.layout,
      async handle(records) {
        const handled = await consumer.handle(records)
        return {
          ...handled,
          failures: handled.failures.map(each => ({ ...each, record: structuredClone(each.record) })),
        }
      },
    }
    await write(...names(3))
    const follower = await follow(copying, { attempts: 2 })
    await time.until(follower.settled())
    const letters = await lettersOf(made)
    expect(letters.map(({ record, error }) => [record.dynamodb?.Keys?.PK?.S, error])).toEqual([['a1', 'Error: poison']])
    await follower.stop()
  })

  it('a failing record is found by halving the batch if the consumer throws', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    consumer.throws = batch => (batch.includes('a5') ? new Error('no such thing') : undefined)
    await write(...names(16))
    const follower = await follow(consumer, { attempts: 2 })
    await time.until(follower.settled())
    expect(consumer.seen.sort()).toEqual(
      names(16)
        .filter(name => name !== 'a5')
        .sort(),
    )
    expect((await lettersOf(made)).map(({ record }) => record.dynamodb?.Keys?.PK?.S)).toEqual(['a5'])
    await follower.stop()
  })

  it('a failing record is not given up while the store is unreachable for a while', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    const away = Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
    consumer.fails = () => away
    await write('a')
    const follower = await follow(consumer, { attempts: 2 })
    await time.pass(10 * 60_000)
    expect(follower.stats().deadLettered).toBe(0)
    consumer.fails = () => undefined
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    await follower.stop()
  })

  it('a follower that stops during a retry does not skip the failing record', async () => {
    const { write, follow, time } = await scene()
    const stopped = noting()
    stopped.fails = name => (name === 'a1' ? new Error('not yet') : undefined)
    await write(...names(3))
    const first = await follow(stopped, { attempts: 1000 })
    await time.pass(500)
    expect(first.stats().failed).toBeGreaterThan(0)
    await first.stop()
    const consumer = noting()
    const second = await follow(consumer)
    await time.until(second.settled())
    expect(consumer.seen).toContain('a1')
    await second.stop()
  })

  it('a failing record is given up after patienceMs, also for a transient error', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const consumer = noting()
    consumer.fails = name =>
      name === 'a' ? Object.assign(new Error('slow down'), { name: 'ThrottlingException' }) : undefined
    await write('a', 'b')
    const follower = await follow(consumer, { patienceMs: 60_000 })
    await time.pass(2 * 60_000)
    expect(follower.stats().deadLettered).toBe(1)
    await follower.stop()
  })

  it('keeps images of any size until it is replayed', async () => {
    const made = await scene()
    const { store, follow, time } = made
    const consumer = noting()
    consumer.fails = () => new Error('poison')
    // A text in which every cut position is within a surrogate pair or next to one.
    const texts = ['-', '--', '---'].map(begin => begin + '😀'.repeat(90_000))
    for (const S of texts)
      await store.putItem({
        TableName: TABLE,
        Item: { PK: { S: 'a' }, SK: { S: '-' }, text: { S }, bytes: { B: new Uint8Array([1, 2, 255]) } },
      })
    const follower = await follow(consumer, { attempts: 1 })
    await time.until(follower.settled())
    const letters = await lettersOf(made)
    expect(letters).toHaveLength(3)
    const { NewImage, OldImage } = letters[2]!.record.dynamodb!
    expect([NewImage?.text?.S, OldImage?.text?.S]).toEqual([texts[2], texts[1]])
    expect(NewImage?.bytes?.B).toEqual(new Uint8Array([1, 2, 255]))
    await follower.stop()
    consumer.fails = () => undefined
    expect(await replay(consumer, store)).toEqual({ handled: 3, failures: [] })
    const { Items = [] } = await store.scan({ TableName: `${TABLE}-consumers` })
    expect(Items.filter(item => item.PK!.S!.endsWith('#dead'))).toEqual([])
  })
})

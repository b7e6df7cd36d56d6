import fc from 'fast-check'
import { open } from 'lmdb'
import { describe, expect, it } from 'vitest'
import { CommitQueue } from '../../../src/engine/keyvalues/lmdb/commit-queue.js'
import { LmdbBytes } from '../../../src/engine/keyvalues/lmdb/lmdb-bytes.js'
import { openLmdbKeyValues } from '../../../src/engine/keyvalues/lmdb/lmdb-key-values.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { expectAlike, follow, keysUpTo } from './random-steps.js'

/** Longer keys go into buckets, so short test keys reach several levels of buckets. */
const PLAIN_KEY_BYTES = 3

const { range, step } = keysUpTo(11)

function numbers(path: string, plainKeyBytes?: number) {
  return openLmdbKeyValues<number>(path, {
    encode: value => Buffer.from(String(value)),
    decode: bytes => Number(bytes.toString()),
    isRefusal: () => false,
    flush: false,
    ...(plainKeyBytes !== undefined && { plainKeyBytes }),
  })
}

describe('spaces on disk', () => {
  it('a space holds its puts and visits ranges in byte order, during and after a write', async () => {
    const keyValues = numbers(temporaryFolder(), PLAIN_KEY_BYTES)
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 100 }),
        fc.array(range, { minLength: 3, maxLength: 3 }),
        async (steps, ranges) => {
          const name = `space ${count++}`
          const space = keyValues.space(name)
          const model = new Map<string, number>()
          await keyValues.write(() => {
            follow(space, model, steps)
            expectAlike(space, model, ranges)
          })
          expectAlike(space, model, ranges)
          await keyValues.write(() => keyValues.drop(name))
          expect(space.get(steps[0] && 'put' in steps[0] ? steps[0].put : '')).toBeUndefined()
        },
      ),
    )
    await keyValues.close()
  })

  it('a copied space is equal, with long keys too, and independent of the original', async () => {
    const keyValues = numbers(temporaryFolder(), PLAIN_KEY_BYTES)
    let count = 0
    const someSteps = fc.array(step, { maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(someSteps, someSteps, range, async (steps, more, one) => {
        const [from, to] = [`from ${count}`, `to ${count++}`]
        const model = new Map<string, number>()
        const copied = new Map<string, number>()
        await keyValues.write(() => follow(keyValues.space(from), model, steps))
        await keyValues.write(() => keyValues.copy(from, to))
        for (const [key, value] of model) copied.set(key, value)
        await keyValues.write(() => follow(keyValues.space(from), model, more))
        expectAlike(keyValues.space(to), copied, [one])
        await keyValues.write(() => follow(keyValues.space(to), copied, more.toReversed()))
        expectAlike(keyValues.space(from), model, [one])
      }),
    )
    await keyValues.close()
  })

  it('keys of up to 20,000 bytes that differ only in the last one stay in order', async () => {
    const keyValues = numbers(temporaryFolder())
    const space = keyValues.space('one')
    const lengths = [1, 1899, 1900, 1901, 3799, 3800, 3801, 20_000]
    const keys = lengths.flatMap(length => ['\u0000', 'm', '\u00ff'].map(end => 'm'.repeat(length - 1) + end))
    await keyValues.write(() => {
      for (const key of keys.toReversed()) space.put(key, key.length)
    })
    const seen: string[] = []
    space.range({ from: '', to: undefined, reverse: false }, (_, key) => seen.push(key) > 0)
    expect(seen).toEqual([...new Set(keys)].sort((a, b) => (a < b ? -1 : 1)))
    await keyValues.close()
  })

  it('a range stops when the visitor returns false, in a bucket too', async () => {
    const keyValues = numbers(temporaryFolder(), PLAIN_KEY_BYTES)
    const space = keyValues.space('one')
    await keyValues.write(() => {
      for (let i = 0; i < 10; i++) space.put(`long${i}`, i)
    })
    const seen: number[] = []
    space.range({ from: '', to: undefined, reverse: true }, value => seen.push(value) < 3)
    expect(seen).toEqual([9, 8, 7])
    await keyValues.close()
  })

  it('ranges within a write visit any number of values of any size', async () => {
    const keyValues = openLmdbKeyValues<number>(temporaryFolder(), {
      encode: sizeBytes => Buffer.alloc(sizeBytes, 1),
      decode: bytes => bytes.length,
      isRefusal: () => false,
      flush: false,
    })
    const space = keyValues.space('one')
    const keys = Array.from({ length: 2500 }, (_, i) => `k${String(i).padStart(4, '0')}`)
    const sizes = new Map(keys.map((key, i) => [key, i < 2000 ? 1 + i : 5000 + i]))
    await keyValues.write(() => {
      for (const [key, sizeBytes] of sizes) space.put(key, sizeBytes)
      for (const reverse of [false, true]) {
        const all = { from: '', to: undefined, reverse }
        expectAlike(space, sizes, [all, { ...all, from: 'k0010', to: 'k0900' }, { ...all, from: 'k1990', to: 'k2400' }])
        for (const most of [1, 64, 65, 100, 2300]) {
          const seen: string[] = []
          space.range(all, (_, key) => seen.push(key) < most)
          expect(seen).toEqual((reverse ? keys.toReversed() : keys).slice(0, most))
        }
      }
    })
    await keyValues.close()
  })

  it('a visitor within a write may write to the visited space', async () => {
    const keyValues = numbers(temporaryFolder())
    const from = keyValues.space('from')
    const to = keyValues.space('to')
    await keyValues.write(() => {
      for (let i = 0; i < 1000; i++) from.put(`k${String(i).padStart(4, '0')}`, i)
      from.range({ from: '', to: undefined, reverse: false }, (value, key) => {
        to.put(key, value)
        from.remove(key)
        return true
      })
    })
    const moved: number[] = []
    to.range({ from: '', to: undefined, reverse: false }, value => moved.push(value) > 0)
    expect(moved).toEqual(Array.from({ length: 1000 }, (_, i) => i))
    expect(from.get('k0000')).toBeUndefined()
    await keyValues.close()
  })
})

describe('writes on disk', () => {
  it('a write that throws rolls back, together with the other writes of its transaction', async () => {
    const path = temporaryFolder()
    const keyValues = numbers(path)
    const space = keyValues.space('one')
    await keyValues.write(() => space.put('before', 1))
    const writes = await Promise.allSettled([
      keyValues.write(() => space.put('with it', 2)),
      keyValues.write(() => {
        keyValues.space('made').put('k', 3)
        throw new Error('in the middle')
      }),
    ])
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([space.get('before'), space.get('with it'), keyValues.space('made').get('k')]).toEqual([
      1,
      undefined,
      undefined,
    ])
    await keyValues.write(() => space.put('after', 4))
    await keyValues.close()
    const again = numbers(path)
    const keys: string[] = []
    again.space('one').range({ from: '', to: undefined, reverse: false }, (_, key) => keys.push(key) > 0)
    expect(keys).toEqual(['after', 'before'])
    await again.close()
  })

  it('writes fail, with those that wait for them, when no transaction can begin', async () => {
    const childTransaction = () => Promise.reject(new Error('no transaction'))
    const database = { childTransaction, getBinaryFast: () => undefined, resetReadTxn: () => {} }
    const hooks = { isRefusal: () => false, beforeCommit: () => false, afterFailure: () => {} }
    const commits = new CommitQueue(database as never, new LmdbBytes(database as never), 'folder', () => hooks)
    const writes = [1, 2].map(n => commits.write(() => n))
    for (const write of writes) await expect(write).rejects.toThrow('no transaction')
    await commits.drain()
  })

  it.each([
    [4, 'folder: nothing was written; the write failed (no room), so check the disk and write again.'],
    [5, 'folder: the write was not flushed and may or may not have been stored; the write failed (no room)'],
  ])(
    "a failed write reports whether it may have been stored when LMDB's last transaction is %i",
    async (lastTxnId, message) => {
      const commitError = Promise.reject(new Error('no room'))
      commitError.catch(() => {})
      const database = {
        childTransaction: async (work: () => void) => {
          work()
          throw Object.assign(new Error('Commit failed'), { commitError })
        },
        getBinaryFast: () => undefined,
        resetReadTxn: () => {},
        getWriteTxnId: () => 5,
        getStats: () => ({ lastTxnId }),
      }
      const hooks = { isRefusal: () => false, beforeCommit: () => false, afterFailure: () => {} }
      const commits = new CommitQueue(database as never, new LmdbBytes(database as never), 'folder', () => hooks)
      await expect(commits.write(() => {})).rejects.toThrow(message)
    },
  )

  it('writes and reads fail after LMDB has given up on the file', async () => {
    const database = {
      getBinaryFast: () => {
        throw new Error('given up')
      },
      getRange: () => [],
      resetReadTxn: () => {},
      childTransaction: () => new Promise(() => {}),
    }
    const bytes = new LmdbBytes(database as never)
    const all = { from: '', to: '\xff', reverse: false }
    const afterFailure = () => void bytes.range(all, () => true)
    const commits = new CommitQueue(database as never, bytes, 'folder', () => ({
      isRefusal: () => false,
      beforeCommit: () => false,
      afterFailure,
    }))
    expect(afterFailure).toThrow('given up')
    await expect(commits.write(() => {})).rejects.toThrow('given up')
    await commits.drain()
    expect(() => bytes.get('k')).toThrow('folder: a write failed and the folder can no longer be read')
  })

  it('concurrent writes share a commit', async () => {
    const keyValues = numbers(temporaryFolder())
    const space = keyValues.space('one')
    let commits = 0
    keyValues.setCommitListener({ beforeCommit: () => ++commits === 0, afterFailure: () => {} })
    await Promise.all(Array.from({ length: 1000 }, (_, i) => keyValues.write(() => space.put(`k${i}`, i))))
    expect(commits).toBeLessThan(10)
    await keyValues.close()
  })

  it('a write is readable as soon as it is acknowledged', async () => {
    const keyValues = numbers(temporaryFolder())
    const space = keyValues.space('one')
    for (let i = 0; i < 200; i++) {
      space.get('k')
      await keyValues.write(() => space.put('k', i))
      expect(space.get('k')).toBe(i)
    }
    await keyValues.close()
  })
})

describe('dropped spaces', () => {
  it('a dropped space is empty immediately, and later writes remove its entries', async () => {
    const path = temporaryFolder()
    const keyValues = numbers(path, PLAIN_KEY_BYTES)
    const space = keyValues.space('one')
    await keyValues.write(() => {
      for (let i = 0; i < 2000; i++) space.put(`long ${i}`, i)
    })
    await keyValues.write(() => keyValues.drop('one'))
    expect(space.get('long 7')).toBeUndefined()
    await keyValues.write(() => space.put('long 7', 7))
    for (let i = 0; i < 3000 && keyValues.isClearing; i++) await keyValues.write(() => {})
    expect(keyValues.isClearing).toBe(false)
    expect(space.get('long 7')).toBe(7)
    await keyValues.close()
    // The next number, the number of the space, the new key and its bucket.
    const database = open({ path, keyEncoding: 'binary', readOnly: true })
    expect(database.getKeysCount()).toBe(4)
    await database.close()
  })

  it('a dropped space stays dropped after reopening, where its removal continues', async () => {
    const path = temporaryFolder()
    let keyValues = numbers(path)
    await keyValues.write(() => {
      for (let i = 0; i < 2000; i++) keyValues.space('one').put(`k${i}`, i)
      keyValues.space('two').put('k', 2)
    })
    await keyValues.write(() => keyValues.drop('one'))
    await keyValues.close()
    keyValues = numbers(path)
    expect([keyValues.space('one').get('k7'), keyValues.space('one').get('k1999')]).toEqual([undefined, undefined])
    expect(keyValues.isClearing).toBe(true)
    await keyValues.write(() => keyValues.space('one').put('again', 1))
    for (let i = 0; i < 100 && keyValues.isClearing; i++) await keyValues.write(() => {})
    await keyValues.close()
    keyValues = numbers(path)
    expect(keyValues.isClearing).toBe(false)
    for (const [name, key, value] of [
      ['one', 'again', 1],
      ['two', 'k', 2],
    ] as const)
      expectAlike(keyValues.space(name), new Map([[key, value]]), [{ from: '', to: undefined, reverse: false }])
    await keyValues.close()
    // The next number, two names and their keys.
    const database = open({ path, keyEncoding: 'binary', readOnly: true })
    expect(database.getKeysCount()).toBe(5)
    await database.close()
  })

  it('a space that is dropped after closing still exists when the folder is reopened', async () => {
    const path = temporaryFolder()
    const keyValues = numbers(path)
    await keyValues.write(() => keyValues.space('one').put('k', 1))
    await keyValues.close()
    keyValues.drop('one')
    expect(() => keyValues.space('one').get('k')).toThrow('is closed')
    const again = numbers(path)
    expect(again.space('one').get('k')).toBe(1)
    await again.close()
  })
})

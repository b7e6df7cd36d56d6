import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { changesOf, exported, exporting, filesOf, itemsOf, summaryOf, TableName } from './transferring.js'

const MINUTE_MS = 60_000
const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more })

const period = (fromMs: number, toMs: number | undefined, view?: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES') => ({
  ExportType: 'INCREMENTAL_EXPORT' as const,
  IncrementalExportSpecification: {
    ExportFromTime: new Date(fromMs),
    ExportToTime: toMs === undefined ? undefined : new Date(toMs),
    ExportViewType: view,
  },
})

async function changed() {
  const made = await exporting()
  const { store, clock } = made
  const put = (pk: string, n: string) => store.putItem({ TableName, Item: item(pk, { n: { N: n } }) })
  const remove = (pk: string) => store.deleteItem({ TableName, Key: item(pk) })
  for (const pk of ['same', 'updated', 'deleted', 'back']) await put(pk, '1')
  clock.ms += 1
  const fromMs = clock.ms
  clock.ms += 1
  await put('updated', '2')
  await put('updated', '3')
  await remove('deleted')
  await put('inserted', '1')
  await put('passing', '1')
  await remove('passing')
  await remove('back')
  clock.ms += 1
  await put('back', '2')
  clock.ms += 15 * MINUTE_MS
  const toMs = clock.ms
  await put('updated', '4')
  await put('later', '1')
  await remove('inserted')
  return { ...made, fromMs, toMs }
}

describe('an incremental export', () => {
  test('has each item that changed once, as it was before and after', async () => {
    const { store, folder, fromMs, toMs } = await changed()
    const ended = await exported(store, period(fromMs, toMs))
    const changes = changesOf(folder, ended).map(({ keys, oldImage, newImage, writtenMicros }) => [
      keys.pk!.S,
      oldImage?.n?.N,
      newImage?.n?.N,
      writtenMicros / 1000 - fromMs,
    ])
    expect(changes.sort()).toEqual([
      ['back', '1', '2', 2],
      ['deleted', '1', undefined, 1],
      ['inserted', undefined, '1', 1],
      ['updated', '1', '3', 1],
    ])
    expect([ended.ItemCount, ended.ExportTime]).toEqual([4, undefined])
    expect(ended.IncrementalExportSpecification).toEqual({
      ExportFromTime: new Date(fromMs),
      ExportToTime: new Date(toMs),
      ExportViewType: 'NEW_AND_OLD_IMAGES',
    })
  })

  test('has its data in the folder that those of a prefix share, and its period in the summary', async () => {
    const { store, folder, fromMs, toMs } = await changed()
    const ended = await exported(store, { ...period(fromMs, toMs, 'NEW_IMAGE'), S3Prefix: 'hourly' })
    const id = ended.ExportArn!.split('/').at(-1)!
    expect(filesOf(folder).map(file => file.replace(/[a-z2-7]{26}/, '*'))).toEqual([
      `hourly/AWSDynamoDB/${id}/_started`,
      `hourly/AWSDynamoDB/${id}/manifest-files.json`,
      `hourly/AWSDynamoDB/${id}/manifest-files.md5`,
      `hourly/AWSDynamoDB/${id}/manifest-summary.json`,
      `hourly/AWSDynamoDB/${id}/manifest-summary.md5`,
      'hourly/AWSDynamoDB/data/*.json.gz',
    ])
    const { version, exportFromTime, exportToTime, outputView, exportType, itemCount } = summaryOf(folder, ended)
    expect([version, exportType, outputView, itemCount]).toEqual(['2023-08-01', 'INCREMENTAL_EXPORT', 'NEW_IMAGE', 4])
    expect([exportFromTime, exportToTime]).toEqual([new Date(fromMs).toISOString(), new Date(toMs).toISOString()])
    expect(changesOf(folder, ended).filter(({ oldImage }) => oldImage)).toEqual([])
  })

  test('in Ion has the same changes', async () => {
    const { store, folder, fromMs, toMs } = await changed()
    const byKey = async (ExportFormat: 'ION' | 'DYNAMODB_JSON') => {
      const changes = changesOf(folder, await exported(store, { ...period(fromMs, toMs), ExportFormat }))
      // Ion writes 600 as 6d2, which is the same number.
      return changes.toSorted((a, b) => (a.keys.pk!.S! < b.keys.pk!.S! ? -1 : 1))
    }
    expect(await byKey('ION')).toEqual(await byKey('DYNAMODB_JSON'))
  })

  test('filters by the new image, and by the old one of what was deleted', async () => {
    const { store, folder, fromMs, toMs } = await changed()
    const FilterSpecification = {
      FilterExpression: 'n = :one',
      ProjectionExpression: 'pk',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }
    const changes = changesOf(folder, await exported(store, { ...period(fromMs, toMs), FilterSpecification }))
    expect(changes.map(({ keys, oldImage, newImage }) => [keys.pk!.S, oldImage, newImage]).sort()).toEqual([
      ['deleted', item('deleted'), undefined],
      ['inserted', undefined, item('inserted')],
    ])
    const KeyConditionExpression = 'pk = :pk'
    const ofKey = { KeyConditionExpression, ExpressionAttributeValues: { ':pk': { S: 'updated' } } }
    const one = await exported(store, { ...period(fromMs, toMs), FilterSpecification: ofKey })
    expect(changesOf(folder, one).map(({ keys }) => keys.pk!.S)).toEqual(['updated'])
  })
})

test('an item of the very moment of a full export that is deleted afterwards is deleted by the next export', async () => {
  const { store, folder, clock } = await exporting()
  await store.putItem({ TableName, Item: item('a') })
  expect(itemsOf(folder, await exported(store))).toEqual([item('a')])
  await store.deleteItem({ TableName, Key: item('a') })
  const fromMs = clock.ms
  clock.ms += 15 * MINUTE_MS
  const ended = await exported(store, period(fromMs, clock.ms))
  expect(changesOf(folder, ended)).toEqual([{ keys: item('a'), writtenMicros: fromMs * 1000 }])
})

test('a full export and the incremental ones after it, applied in order, are the table', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const change = fc.record({ passMs: fc.constantFrom(0, 1, 700), pk: name, isPut: fc.boolean() })
  const changes = fc.array(change, { maxLength: 8 })
  return fc.assert(
    fc.asyncProperty(changes, fc.array(changes, { minLength: 1, maxLength: 3 }), async (before, periods) => {
      const { store, folder, clock } = await exporting()
      let version = 0
      const make = async ({ passMs, pk, isPut }: (typeof before)[number]) => {
        clock.ms += passMs
        if (isPut) await store.putItem({ TableName, Item: item(pk, { v: { N: String(++version) } }) })
        else await store.deleteItem({ TableName, Key: item(pk) })
      }
      for (const each of before) await make(each)
      const table = new Map(itemsOf(folder, await exported(store)).map(each => [each.pk!.S!, each]))
      let fromMs = clock.ms
      for (const each of periods) {
        for (const one of each) await make(one)
        clock.ms += 15 * MINUTE_MS
        const ended = await exported(store, period(fromMs, clock.ms))
        for (const { keys, newImage } of changesOf(folder, ended)) {
          if (newImage) table.set(keys.pk!.S!, newImage)
          else table.delete(keys.pk!.S!)
        }
        fromMs = clock.ms
      }
      const { Items } = await store.scan({ TableName })
      const sorted = (some: Iterable<Item>) => [...some].sort((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
      expect(sorted(table.values())).toEqual(sorted(Items!))
    }),
    { numRuns: 40 },
  )
})

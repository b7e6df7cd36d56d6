import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { newEngine } from '../../../src/engine/engine.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import { newEngineStore } from '../../../src/engine/store.js'
import { NO_FILTER } from '../../../src/engine/transfers/export-filter.js'
import { SnapshotReader } from '../../../src/engine/transfers/snapshot-reader.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { NOW_MS, request } from '../tables.js'
import { ENABLED, exported, exporting, filesOf, itemsOf, S3Bucket, summaryOf, TableName } from './transferring.js'

const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more })
const checksum = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64')

describe('a full export', () => {
  test('has the files, the manifests and the checksums that AWS documents', async () => {
    const { store, folder, clock } = await exporting()
    await store.putItem({ TableName, Item: item('a', { n: { N: '600' } }) })
    const ended = await exported(store, { S3Prefix: 'daily', ExportTime: new Date(clock.ms) })
    const id = ended.ExportArn!.split('/').at(-1)!
    const at = `daily/AWSDynamoDB/${id}`
    const files = filesOf(folder)
    const data = files.find(file => file.startsWith(`${at}/data/`))!
    expect(data.slice(`${at}/data/`.length)).toMatch(/^[a-z2-7]{26}\.json\.gz$/)
    expect(files).toEqual(
      [
        data,
        ...['manifest-files.json', 'manifest-files.md5', 'manifest-summary.json', 'manifest-summary.md5'].map(
          name => `${at}/${name}`,
        ),
        `${at}/_started`,
      ].sort(),
    )
    const read = (file: string) => readFileSync(join(folder, S3Bucket, file))
    expect(read(`${at}/_started`)).toHaveLength(0)
    for (const name of ['files', 'summary'])
      expect(read(`${at}/manifest-${name}.md5`).toString()).toBe(checksum(read(`${at}/manifest-${name}.json`)))
    const raw = createHash('md5').update(read(data)).digest()
    expect(JSON.parse(read(`${at}/manifest-files.json`).toString())).toEqual({
      itemCount: 1,
      md5Checksum: raw.toString('base64'),
      etag: `${createHash('md5').update(raw).digest('hex')}-1`,
      dataFileS3Key: data,
    })
    expect(summaryOf(folder, ended)).toEqual({
      version: '2020-06-30',
      exportArn: ended.ExportArn,
      startTime: new Date(clock.ms).toISOString(),
      endTime: new Date(clock.ms).toISOString(),
      tableArn: ended.TableArn,
      tableId: ended.TableId,
      exportTime: new Date(clock.ms).toISOString(),
      s3Bucket: S3Bucket,
      s3Prefix: 'daily',
      s3SseAlgorithm: 'AES256',
      s3SseKmsKeyId: null,
      manifestFilesS3Key: `${at}/manifest-files.json`,
      billedSizeBytes: 6,
      itemCount: 1,
      outputFormat: 'DYNAMODB_JSON',
      exportType: 'FULL_EXPORT',
    })
  })

  test('a full export of an empty table has one empty file', async () => {
    const { store, folder } = await exporting()
    const ended = await exported(store, { ExportFormat: 'ION' })
    expect([ended.ItemCount, itemsOf(folder, ended)]).toEqual([0, []])
    expect(filesOf(folder).filter(file => file.endsWith('.ion.gz'))).toHaveLength(1)
  })

  test('has the items of the requested moment, without later changes', async () => {
    const { store, folder, clock } = await exporting()
    const put = (pk: string, n: string) => store.putItem({ TableName, Item: item(pk, { n: { N: n } }) })
    await put('kept', '1')
    await put('changed', '1')
    await put('deleted', '1')
    const moment = new Date(clock.ms)
    clock.ms += 1000
    await put('changed', '2')
    await put('changed', '3')
    await put('new', '1')
    await store.deleteItem({ TableName, Key: item('deleted') })
    const then = itemsOf(folder, await exported(store, { ExportTime: moment }))
    expect(then.map(({ pk, n }) => `${pk!.S} ${n!.N}`)).toEqual(['changed 1', 'deleted 1', 'kept 1'])
    const now = itemsOf(folder, await exported(store))
    expect(now.map(({ pk, n }) => `${pk!.S} ${n!.N}`)).toEqual(['changed 3', 'kept 1', 'new 1'])
  })

  test('shows that it is in progress for as long as other transitions', async () => {
    const { store, clock } = await exporting({}, { transitionMs: 1000 })
    const { ExportDescription: begun } = await store.exportTableToPointInTime({
      TableArn: `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`,
      S3Bucket,
    })
    const { ExportArn } = begun!
    const described = async () => (await store.describeExport({ ExportArn: ExportArn! })).ExportDescription!
    await new Promise(resolve => setTimeout(resolve, 50))
    expect([(await described()).ExportStatus, (await described()).ItemCount]).toEqual(['IN_PROGRESS', undefined])
    clock.ms += 1000
    await expect.poll(async () => (await described()).ExportStatus).toBe('COMPLETED')
    expect((await described()).EndTime).toEqual(new Date(clock.ms))
  })

  test('fails when its table is deleted or loses its recovery meanwhile, and leaves no data', async () => {
    const { store, folder } = await exporting()
    await store.putItem({ TableName, Item: item('a') })
    const TableArn = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`
    const disabled = { ...ENABLED, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }
    const stops = [() => store.updateContinuousBackups(disabled), () => store.deleteTable({ TableName })]
    for (const stop of stops) {
      await store.updateContinuousBackups(ENABLED)
      const { ExportDescription } = await store.exportTableToPointInTime({ TableArn, S3Bucket })
      await stop()
      const { ExportArn } = ExportDescription!
      const described = async () => (await store.describeExport({ ExportArn: ExportArn! })).ExportDescription!
      await expect.poll(async () => (await described()).ExportStatus).toBe('FAILED')
      const { FailureCode, FailureMessage } = await described()
      expect(FailureCode).toBe('PointInTimeRecoveryUnavailable')
      expect(FailureMessage).toMatch(/was (deleted|disabled)/)
    }
    expect(filesOf(folder).map(file => file.split('/').at(-1))).toEqual(['_started', '_started'])
  })
})

test('a snapshot is of one moment despite writes between its slices', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const step = fc.oneof(
    fc.record({ put: name }),
    fc.record({ remove: name }),
    fc.record({ passMs: fc.constantFrom(0, 1, 1000) }),
    fc.constant('read' as const),
  )
  const steps = fc.array(step, { maxLength: 30 })
  return fc.assert(
    fc.asyncProperty(steps, steps, steps, fc.integer({ min: 1, max: 3 }), async (before, since, during, sliceItems) => {
      const clock = { ms: NOW_MS }
      const engine = newEngine(newMemoryKeyValues<StoredItem>(), { now: () => clock.ms })
      const store = newEngineStore(engine)
      await store.createTable(request())
      await store.updateContinuousBackups(ENABLED)
      const table = engine.tables.get(TableName)!
      let version = 0
      const items = new Map<string, Item>()
      const read: Item[] = []
      let reader: SnapshotReader | undefined
      let isDone = false
      const readSlice = () => {
        if (!reader || isDone) return
        const { rows, isLast } = reader.next(table, table.recovery!)
        read.push(...rows.map(row => row.item))
        isDone = isLast
      }
      const make = async (each: (typeof before)[number]) => {
        if (each === 'read') readSlice()
        else if ('passMs' in each) clock.ms += each.passMs
        else if ('put' in each) {
          const made = item(each.put, { version: { N: String(++version) } })
          await store.putItem({ TableName, Item: made })
          items.set(each.put, made)
        } else {
          await store.deleteItem({ TableName, Key: item(each.remove) })
          items.delete(each.remove)
        }
      }
      for (const each of before) await make(each)
      const moment = clock.ms++
      const then = [...items.values()]
      for (const each of since) await make(each)
      const position = table.recovery!.positionAfter(moment)
      reader = new SnapshotReader(engine.keyValues.space('export'), position, NO_FILTER, sliceItems)
      for (const each of during) await make(each)
      while (!isDone) readSlice()
      const sorted = (some: readonly Item[]) => some.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
      expect(sorted(read)).toEqual(sorted(then))
    }),
    { numRuns: 300 },
  )
})

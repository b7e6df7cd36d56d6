import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { type Disk, disk } from '../../../src/engine/index.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { request } from '../tables.js'
import {
  ENABLED,
  exportEnded,
  exported,
  filesOf,
  imported,
  importRequest,
  S3Bucket,
  TABLE_ARN,
  TableName,
} from './transferring.js'

const ITEMS = 5000
const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more })

function opener() {
  const folder = temporaryFolder()
  const stores: Disk[] = []
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  const open = () => {
    const store = disk(join(folder, 'data'), { sync: false, exports: join(folder, 'exports') })
    stores.push(store)
    return store
  }
  return { folder: join(folder, 'exports'), open }
}

async function filled(store: Disk): Promise<void> {
  await store.createTable(request())
  await store.updateContinuousBackups(ENABLED)
  const text = { S: 'x'.repeat(200) }
  await Promise.all(
    Array.from({ length: ITEMS }, (_, i) => store.putItem({ TableName, Item: item(String(i), { text }) })),
  )
}

describe('a folder that was closed', () => {
  test('has its exports and imports when it is opened again', async () => {
    const { folder, open } = opener()
    const store = open()
    await filled(store)
    const ended = await exported(store, { ExportFormat: 'ION' })
    const prefix = ended.ExportManifest!.replace('manifest-summary.json', 'data/')
    const asked = importRequest('again', prefix, { InputFormat: 'ION', InputCompressionType: 'GZIP' })
    const made = await imported(store, asked)
    await store.close()
    const reopened = open()
    expect(await exportEnded(reopened, ended)).toEqual(ended)
    const { ImportTableDescription } = await reopened.describeImport({ ImportArn: made.ImportArn! })
    expect([ImportTableDescription, made.ImportedItemCount]).toEqual([made, ITEMS])
    expect((await reopened.describeTable({ TableName: 'again' })).Table!.ItemCount).toBe(ITEMS)
    expect(filesOf(folder)).toHaveLength(6)
  })

  test('during an export has a failed one, without data', async () => {
    const { folder, open } = opener()
    const store = open()
    await filled(store)
    const { ExportDescription } = await store.exportTableToPointInTime({ TableArn: TABLE_ARN, S3Bucket })
    await store.close()
    const reopened = open()
    const ended = await exportEnded(reopened, ExportDescription!)
    expect([ended.ExportStatus, ended.FailureCode]).toEqual(['FAILED', 'Interrupted'])
    expect(ended.FailureMessage).toBe('the process ended during the export; export the table again')
    await expect.poll(() => filesOf(folder).filter(file => !file.endsWith('_started'))).toEqual([])
    expect((await exported(reopened)).ItemCount).toBe(ITEMS)
  })

  test('during an import has a failed one, and its table is gone', async () => {
    const { folder, open } = opener()
    mkdirSync(join(folder, S3Bucket), { recursive: true })
    const text = Array.from({ length: 50_000 }, (_, i) => `${JSON.stringify({ Item: item(String(i)) })}\n`).join('')
    writeFileSync(join(folder, S3Bucket, 'a.json'), text)
    const store = open()
    const { ImportTableDescription } = await store.importTable(importRequest('new', ''))
    await store.close()
    const reopened = open()
    const { ImportArn } = ImportTableDescription!
    const ended = (await reopened.describeImport({ ImportArn: ImportArn! })).ImportTableDescription!
    expect([ended.ImportStatus, ended.FailureCode]).toEqual(['FAILED', 'Interrupted'])
    expect(ended.FailureMessage).toBe('the process ended during the import, and the table was removed; import it again')
    expect((await reopened.listTables({})).TableNames).toEqual([])
    expect((await imported(reopened, importRequest('new', ''))).ImportedItemCount).toBe(50_000)
  })
})

test('while a table is exported and imported, other calls are answered', async () => {
  const { open } = opener()
  const store = open()
  await filled(store)
  const { ExportDescription } = await store.exportTableToPointInTime({ TableArn: TABLE_ARN, S3Bucket })
  let writes = 0
  let longestMs = 0
  let isDone = false
  const writing = (async () => {
    while (!isDone) {
      const beganMs = performance.now()
      await store.putItem({ TableName, Item: item('during', { n: { N: String(++writes) } }) })
      longestMs = Math.max(longestMs, performance.now() - beganMs)
    }
  })()
  const ended = await exportEnded(store, ExportDescription!)
  isDone = true
  await writing
  expect([ended.ExportStatus, ended.ItemCount]).toEqual(['COMPLETED', ITEMS])
  expect(writes).toBeGreaterThan(5)
  expect(longestMs).toBeLessThan(1000)
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { disk, type EmbeddedStore, memory } from '../../../src/engine/index.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import { anyAttributes, keyValue } from '../../arbitraries.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { defined, index, key, request } from '../tables.js'
import { ENABLED, exported, imported, importRequest, S3Bucket, TableName } from './transferring.js'

const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more })

/** A store with files in its bucket. */
function withFiles(files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, S3Bucket), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, S3Bucket, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return { folder, store: memory({ exports: folder }) }
}

async function scanned(store: EmbeddedStore, of: string): Promise<Item[]> {
  const { Items } = await store.scan({ TableName: of })
  return Items!.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
}

const line = (some: object) => `${JSON.stringify({ Item: some })}\n`
const errorsOf = (message: string) =>
  readFileSync(/Please check (.*) for more details/.exec(message)![1]!, 'utf8')
    .trim()
    .split('\n')
    .map(text => JSON.parse(text))

describe.each(['memory', 'disk'] as const)('in %s', kind => {
  test.each(['DYNAMODB_JSON', 'ION'] as const)(
    'a table that is imported from its export in %s is the table',
    format => {
      const items = fc.uniqueArray(fc.tuple(keyValue.S, keyValue.N, anyAttributes), {
        selector: ([pk, sk]) => JSON.stringify([pk, parseInputItem({ sk }, 'current').item.sk]),
        maxLength: 8,
      })
      return fc.assert(
        fc.asyncProperty(items, async given => {
          const folder = temporaryFolder()
          const onDisk = kind === 'disk' ? disk(join(folder, 'data'), { exports: folder, sync: false }) : undefined
          const store: EmbeddedStore = onDisk ?? memory({ exports: folder })
          const AttributeDefinitions = [...defined('pk'), { AttributeName: 'sk', AttributeType: 'N' as const }]
          const KeySchema = key('pk', 'sk')
          await store.createTable(request({ AttributeDefinitions, KeySchema }))
          await store.updateContinuousBackups(ENABLED)
          for (const [pk, sk, more] of given) await store.putItem({ TableName, Item: { ...more, pk, sk } })
          const { ExportManifest } = await exported(store, { ExportFormat: format })
          const prefix = ExportManifest!.replace('manifest-summary.json', 'data/')
          const asked = importRequest('again', prefix, { InputFormat: format, InputCompressionType: 'GZIP' })
          Object.assign(asked.TableCreationParameters, { AttributeDefinitions, KeySchema })
          const { ImportStatus, ImportedItemCount, ErrorCount } = await imported(store, asked)
          expect([ImportStatus, ImportedItemCount, ErrorCount]).toEqual(['COMPLETED', given.length, 0])
          const [before, after] = await Promise.all([store.scan({ TableName }), store.scan({ TableName: 'again' })])
          expect(after.Items).toEqual(before.Items)
          await onDisk?.close()
        }),
        { numRuns: kind === 'disk' ? 10 : 40 },
      )
    },
  )
})

test('each object under a prefix is imported under any name, and its indexes are filled', async () => {
  const { store } = withFiles({
    'in/1.json': line(item('a', { c: { S: 'x' } })),
    'in/deep/2': `\n   \n${line(item('b'))}`,
    'in2.json': line(item('c', { c: { S: 'y' } })),
    'other/3.json': 'not read',
  })
  const asked = importRequest('all', 'in')
  Object.assign(asked.TableCreationParameters, {
    AttributeDefinitions: defined('pk', 'c'),
    GlobalSecondaryIndexes: [index('byC', key('c'))],
  })
  const ended = await imported(store, asked)
  expect([ended.ImportStatus, ended.ProcessedItemCount, ended.ErrorCount]).toEqual(['COMPLETED', 3, 0])
  expect((await scanned(store, 'all')).map(({ pk }) => pk!.S)).toEqual(['a', 'b', 'c'])
  expect((await store.scan({ TableName: 'all', IndexName: 'byC' })).Count).toBe(2)
  expect((await store.describeTable({ TableName: 'all' })).Table!.ItemCount).toBe(3)
  const one = await imported(store, importRequest('one', 'in/1.json'))
  expect([one.ImportedItemCount, one.ProcessedSizeBytes]).toEqual([1, line(item('a', { c: { S: 'x' } })).length])
})

test('items of the same key overwrite each other, and each is counted', async () => {
  const { store } = withFiles({ 'a.json': line(item('a', { n: { N: '1' } })) + line(item('a', { n: { N: '2' } })) })
  const ended = await imported(store, importRequest('all', ''))
  expect([ended.ImportStatus, ended.ImportedItemCount]).toEqual(['COMPLETED', 2])
  expect(await scanned(store, 'all')).toEqual([item('a', { n: { N: '2' } })])
})

test('gzip and zstd are read, and the bytes are counted uncompressed', async () => {
  const text = line(item('a')) + line(item('b'))
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer }
  const { store } = withFiles({
    'gzip/a.json.gz': zlib.gzipSync(text),
    ...(zstdCompressSync && { 'zstd/a.json.zst': zstdCompressSync(text) }),
  })
  const gzip = await imported(store, importRequest('gzip', 'gzip', { InputCompressionType: 'GZIP' }))
  expect([gzip.ImportStatus, gzip.ImportedItemCount, gzip.ProcessedSizeBytes]).toEqual(['COMPLETED', 2, text.length])
  const asked = importRequest('zstd', 'zstd', { InputCompressionType: 'ZSTD' })
  if (zstdCompressSync) expect((await imported(store, asked)).ImportedItemCount).toBe(2)
  else
    await expect(store.importTable(asked)).rejects.toThrow('InputCompressionType ZSTD requires Node.js 22.15 or later')
})

describe('CSV', () => {
  test('has names in its first line, keys of their types, and texts', async () => {
    const { store } = withFiles({
      'a.csv': 'pk,n,text\r\na,1.50,"say ""hi"", twice\nover"\r\n\r\nb,2,plain\n',
      'b.csv': 'pk,text\nc,\n',
    })
    const asked = importRequest('all', '', { InputFormat: 'CSV' })
    Object.assign(asked.TableCreationParameters, {
      AttributeDefinitions: [...defined('pk'), { AttributeName: 'n', AttributeType: 'N' }],
      GlobalSecondaryIndexes: [index('byN', key('n'))],
    })
    const ended = await imported(store, asked)
    expect([ended.ImportStatus, ended.InputFormatOptions]).toEqual(['COMPLETED', undefined])
    expect(await scanned(store, 'all')).toEqual([
      item('a', { n: { N: '1.5' }, text: { S: 'say "hi", twice\nover' } }),
      item('b', { n: { N: '2' }, text: { S: 'plain' } }),
      item('c', { text: { S: '' } }),
    ])
  })

  test('may have another separator, and its names in the request', async () => {
    const { store } = withFiles({ 'a.csv': 'a;x\nb;y' })
    const Csv = { Delimiter: ';', HeaderList: ['pk', 'text'] }
    const ended = await imported(store, importRequest('all', '', { InputFormat: 'CSV', InputFormatOptions: { Csv } }))
    expect([ended.ImportStatus, ended.InputFormatOptions]).toEqual(['COMPLETED', { Csv }])
    expect(await scanned(store, 'all')).toEqual([item('a', { text: { S: 'x' } }), item('b', { text: { S: 'y' } })])
  })

  test('CSV of any fields is read as it was written', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é'), maxLength: 5 })
    const records = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 6 })
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    return fc.assert(
      fc.asyncProperty(records, async given => {
        const text = given.map(([a, b], at) => `${at},${quoted(a)},${quoted(b)}`).join('\n')
        const { store } = withFiles({ 'a.csv': text })
        const Csv = { HeaderList: ['pk', 'a', 'b'] }
        await imported(store, importRequest('all', '', { InputFormat: 'CSV', InputFormatOptions: { Csv } }))
        const expected = given.map(([a, b], at) => item(String(at), { a: { S: a }, b: { S: b } }))
        expect(await scanned(store, 'all')).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })
})

describe('an import with errors', () => {
  test('skips an item that cannot be in the table, and says which and why', async () => {
    const { store, folder } = withFiles({
      'a.json': line(item('a')) + line({ other: { S: 'x' } }) + line({ pk: { N: '1' } }) + line(item('b')),
    })
    const ended = await imported(store, importRequest('all', ''))
    expect([ended.ImportStatus, ended.FailureCode]).toEqual(['FAILED', 'ItemValidationError'])
    expect([ended.ProcessedItemCount, ended.ImportedItemCount, ended.ErrorCount]).toEqual([4, 2, 2])
    expect((await scanned(store, 'all')).map(({ pk }) => pk!.S)).toEqual(['a', 'b'])
    const id = ended.ImportArn!.split('/').at(-1)!
    expect(ended.FailureMessage).toBe(
      `Some of the items failed validation checks and were not imported. Please check ${join(folder, '_imports', id, 'errors.jsonl')} for more details.`,
    )
    expect(errorsOf(ended.FailureMessage!)).toEqual([
      {
        itemS3Pointer: { bucket: S3Bucket, key: 'a.json', itemIndex: 1 },
        importArn: ended.ImportArn,
        errorMessages: ['One or more parameter values were invalid: Missing the key pk in the item'],
      },
      {
        itemS3Pointer: { bucket: S3Bucket, key: 'a.json', itemIndex: 2 },
        importArn: ended.ImportArn,
        errorMessages: ['One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N'],
      },
    ])
  })

  test.each([
    ['a line that is not JSON', `${line(item('a'))}{"Item":\n${line(item('b'))}`, 'the line is not JSON: '],
    ['a line without an item', `${line(item('a'))}{"Keys":{}}\n${line(item('b'))}`, 'of an incremental export'],
    ['a value that is none', `${line(item('a'))}${line({ pk: { X: 1 } })}${line(item('b'))}`, 'Item.pk is not an'],
  ])('reads no more of an object after %s', async (_, text, message) => {
    const { store } = withFiles({ 'a.json': text, 'b.json': line(item('c')) })
    const ended = await imported(store, importRequest('all', ''))
    expect([ended.ProcessedItemCount, ended.ImportedItemCount, ended.ErrorCount]).toEqual([3, 2, 1])
    expect((await scanned(store, 'all')).map(({ pk }) => pk!.S)).toEqual(['a', 'c'])
    const [error] = errorsOf(ended.FailureMessage!)
    expect(error.itemS3Pointer).toEqual({ bucket: S3Bucket, key: 'a.json', itemIndex: 1 })
    expect(error.errorMessages[0]).toContain(message)
  })

  test('reports a truncated file, a file of another format and a wrong compression', async () => {
    const packed = zlib.gzipSync(line(item('a')).repeat(50_000))
    const { store } = withFiles({
      'cut/a.json.gz': packed.subarray(0, packed.length - 20),
      'foreign/a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      'plain/a.json': line(item('a')),
    })
    const failed = async (prefix: string, InputCompressionType: 'GZIP' | 'NONE') => {
      const ended = await imported(store, importRequest(prefix, prefix, { InputCompressionType }))
      expect([ended.ImportStatus, ended.FailureCode, ended.ErrorCount]).toEqual(['FAILED', 'ItemValidationError', 1])
      return errorsOf(ended.FailureMessage!)[0].errorMessages[0]
    }
    expect(await failed('cut', 'GZIP')).toMatch(/^the object is not a complete file in GZIP .*; copy it again$/)
    expect(await failed('plain', 'GZIP')).toMatch(/^the object is not a complete file in GZIP/)
    expect(await failed('foreign', 'NONE')).toMatch(/^the line is not JSON/)
  })

  test('does not import a data file of an export without the checksum of its manifest', async () => {
    const folder = temporaryFolder()
    const store = memory({ exports: folder })
    await store.createTable(request())
    await store.updateContinuousBackups(ENABLED)
    await store.putItem({ TableName, Item: item('a') })
    const { ExportManifest } = await exported(store)
    const manifest = join(folder, S3Bucket, ExportManifest!.replace('summary', 'files'))
    const { dataFileS3Key } = JSON.parse(readFileSync(manifest, 'utf8'))
    writeFileSync(join(folder, S3Bucket, dataFileS3Key), zlib.gzipSync(line(item('b'))))
    const ended = await imported(store, importRequest('all', dataFileS3Key, { InputCompressionType: 'GZIP' }))
    expect([ended.ImportedItemCount, ended.ErrorCount]).toEqual([0, 1])
    expect(errorsOf(ended.FailureMessage!)[0].errorMessages).toEqual([
      'the object does not have the checksum of the manifest of its export; copy it again',
    ])
  })

  test('logs the first 10,000 of them', async () => {
    const { store } = withFiles({ 'a.json': line({ no: { S: 'key' } }).repeat(10_001) })
    const ended = await imported(store, importRequest('all', ''))
    expect([ended.ErrorCount, ended.ProcessedItemCount]).toEqual([10_001, 10_001])
    expect(errorsOf(ended.FailureMessage!)).toHaveLength(10_000)
  })
})

describe('a file outside the folder is rejected', () => {
  test.each(['../', 'a/../../b', './a', '..'])('by the prefix %s', async prefix => {
    const { store } = withFiles({})
    await expect(store.importTable(importRequest('all', prefix))).rejects.toThrow(
      `Invalid Request: S3KeyPrefix '${prefix}' is not a path in a folder; leave out '.', '..' and '\\'`,
    )
    await store.createTable(request())
    await store.updateContinuousBackups(ENABLED)
    await expect(exported(store, { S3Prefix: prefix })).rejects.toThrow('S3Prefix')
  })
})

test('a table that is being imported cannot be used, and is active afterwards', async () => {
  const { store } = withFiles({ 'a.json': line(item('a')).repeat(20_000) })
  const { ImportTableDescription } = await store.importTable(importRequest('all', ''))
  expect((await store.describeTable({ TableName: 'all' })).Table!.TableStatus).toBe('CREATING')
  await expect(store.putItem({ TableName: 'all', Item: item('b') })).rejects.toThrow('Requested resource not found')
  await expect(store.deleteTable({ TableName: 'all' })).rejects.toThrow('Table is being created')
  const { ImportArn } = ImportTableDescription!
  const described = async () => (await store.describeImport({ ImportArn: ImportArn! })).ImportTableDescription!
  await expect.poll(async () => (await described()).ImportStatus, { timeout: 60_000 }).toBe('COMPLETED')
  expect((await store.describeTable({ TableName: 'all' })).Table!.TableStatus).toBe('ACTIVE')
})

test('without a folder that stands for S3, exports and imports are refused with the option to give', async () => {
  const store = memory()
  await store.createTable(request())
  await store.updateContinuousBackups(ENABLED)
  await expect(exported(store)).rejects.toThrow(
    "ExportTableToPointInTime: this store has no folder that stands for S3; open it with memory({ exports: './exports' })",
  )
  await expect(store.importTable(importRequest('all', ''))).rejects.toThrow('ImportTable: this store has no folder')
  expect(() => memory({ exports: '' })).toThrow('exports: the value is not the path of a folder; give one')
})

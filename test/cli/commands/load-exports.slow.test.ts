import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ExportTableToPointInTimeInput } from '../../../src/dynamodb/operation-types.js'
import { disk, memory } from '../../../src/engine/index.js'
import { counter, edge, graph, integer, node, open, type Store, string } from '../../../src/index.js'
import { exported as exportedTable } from '../../engine/transfers/transferring.js'
import { CINEMA, commands, folderWith } from '../cinema-folder.js'

const { run, begin } = await commands()

const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { count: { movie: 'cast' } })
const cinema = graph('cinema', [movie, actor, role])

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A table whose clock stands an hour before now, since the table is to be read by a process with the real clock. */
async function exportable(files: Readonly<Record<string, string>> = {}) {
  const at = folderWith({ 'graph.ts': CINEMA, ...files })
  const clock = { ms: Date.now() - 12 * HOUR_MS }
  const store = memory({ now: () => clock.ms, exports: at('exports') })
  const g = await open(cinema, store)
  await store.updateContinuousBackups({
    TableName: 'cinema',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await g.movie.put({ name: 'Big', year: 1988 })
  await g.actor.put({ name: 'Tom Hanks' })
  await g.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' })
  const TableArn = 'arn:aws:dynamodb:us-east-1:123456789012:table/cinema'
  const folderOf = async (more: Partial<ExportTableToPointInTimeInput>) => {
    const { ExportManifest } = await exportedTable(store, { TableArn, ...more })
    return join(at('exports'), 'bucket', ExportManifest!.replace('/manifest-summary.json', ''))
  }
  return { at, clock, store, g, folderOf }
}

const incremental = (fromMs: number): Partial<ExportTableToPointInTimeInput> => ({
  ExportType: 'INCREMENTAL_EXPORT',
  IncrementalExportSpecification: { ExportFromTime: new Date(fromMs) },
})

async function itemsOf(store: Store) {
  const { Items } = await store.scan({ TableName: 'cinema' })
  return Items!.map(item => JSON.stringify(item)).sort()
}

async function itemsOnDisk(path: string) {
  const store = disk(path)
  try {
    return await itemsOf(store)
  } finally {
    await store.close()
  }
}

describe('edgewise load of an export', { timeout: 60_000 }, () => {
  it.each(['DYNAMODB_JSON', 'ION'] as const)('writes the rows of a full export in %s by the graph', async format => {
    const { at, folderOf } = await exportable()
    const folder = await folderOf({ ExportFormat: format })
    const ended = await run(['load', at('graph.ts'), folder, '--path', at('data')])
    expect(ended).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('Loaded 3 rows') })
    const store = disk(at('data'))
    const g = await open(cinema, store)
    expect(await g.movie.get('Big')).toEqual({ name: 'Big', year: 1988, cast: 1 })
    await store.close()
  })

  it('writes items as they are, of a full export and the incremental ones after it', async () => {
    const { at, clock, store, g, folderOf } = await exportable()
    const full = await folderOf({ ExportFormat: 'ION' })
    const before = await itemsOf(store)
    const fromMs = clock.ms
    await g.movie.put({ name: 'Splash', year: 1984 })
    await g.role.delete({ movie: 'Big', actor: 'Tom Hanks' })
    clock.ms += 15 * MINUTE_MS
    const second = await folderOf(incremental(fromMs))
    const secondMs = clock.ms
    await g.movie.delete('Splash')
    await g.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Joshua' })
    clock.ms += 15 * MINUTE_MS
    const third = await folderOf(incremental(secondMs))
    const load = (path: string, ...folders: string[]) =>
      run(['load', at('graph.ts'), '--items', ...folders, '--path', at(path)])
    expect(await load('one', full)).toMatchObject({
      code: 0,
      errors: '',
      output: expect.stringMatching(/^Loaded \d+ items\.\n$/),
    })
    expect(await itemsOnDisk(at('one'))).toEqual(before)
    expect(await load('all', full, second, third)).toMatchObject({
      code: 0,
      output: expect.stringContaining('deleted'),
    })
    expect(await itemsOnDisk(at('all'))).toEqual(await itemsOf(store))
    expect((await load('gap', full, third)).errors).toMatch(
      /begins at .*, after .* ends; give the export between them\.\n$/,
    )
    expect((await load('gap', second, full)).errors).toMatch(
      /only the first export can be a full one; give one full export/,
    )
    expect((await load('gap', at('exports'))).errors).toMatch(
      /the folder has several exports \(.*\); name them in the order of their times/,
    )
    expect((await run(['load', at('graph.ts'), second, '--path', at('rows')])).errors).toBe(
      `${second}: the changes of an incremental export are not rows; load it with --items.\n`,
    )
  })

  it.each([
    ['rows', []],
    ['items', ['--items']],
  ])('as %s refuses a data file that is not the one of its manifest', async (_, words) => {
    const { at, folderOf } = await exportable()
    const folder = await folderOf({})
    const [name] = readdirSync(join(folder, 'data'))
    const path = join(folder, 'data', name!)
    const load = () => run(['load', at('graph.ts'), folder, '--path', at('data'), ...words])
    const whole = readFileSync(path)
    for (const other of [gzipSync('{"Item":{}}\n'), whole.subarray(0, whole.length - 10), Buffer.from('foreign')]) {
      writeFileSync(path, other)
      expect(await load()).toMatchObject({
        code: 1,
        errors: `${path}: the file does not have the checksum in its manifest; download it again.\n`,
      })
    }
    writeFileSync(path, whole)
    expect((await load()).code).toBe(0)
  })

  it('as items names the file and the line of what is not an item', async () => {
    const { at, folderOf } = await exportable()
    const folder = await folderOf({})
    const [name] = readdirSync(join(folder, 'data'))
    const path = join(folder, 'data', name!)
    const dataFileS3Key = `AWSDynamoDB/x/data/${name}`
    writeFileSync(join(folder, 'manifest-files.json'), `${JSON.stringify({ itemCount: 2, dataFileS3Key })}\n`)
    for (const [text, message] of [
      ['\n{"Item":{"nothing":{"S":"x"}}}\n', /line 2: the item has no key attribute '/],
      ['{"Item":{"PK":{"X":1}}}\n', /line 1: Item\.PK is not an attribute value of DynamoDB/],
      ['{"Item":', /line 1: the line is not JSON/],
    ] as const) {
      writeFileSync(path, gzipSync(text))
      const ended = await run(['load', at('graph.ts'), '--items', folder, '--path', at('data')])
      expect([ended.code, ended.errors]).toEqual([1, expect.stringMatching(message)])
    }
  })
})

describe('edgewise serve --exports', { timeout: 60_000 }, () => {
  it('exports to the folder and imports from it', async () => {
    const at = folderWith({})
    const { DynamoDB, waitUntilExportCompleted, waitUntilImportCompleted } = await import('@aws-sdk/client-dynamodb')
    const running = begin(['serve', '--port', '0', '--exports', at('exports'), '--path', at('data')])
    const [endpoint] = /http:\S+/.exec(await running.line())!
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
    const client = new DynamoDB({ endpoint, region: 'us-east-1', credentials })
    const waiter = { client, maxWaitTime: 20, minDelay: 0.05, maxDelay: 0.1 }
    const TableName = 'orders'
    const definition = {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
      BillingMode: 'PAY_PER_REQUEST' as const,
    }
    const { TableDescription } = await client.createTable({ TableName, ...definition })
    await client.updateContinuousBackups({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    const item = { id: { S: 'a' }, bytes: { B: new Uint8Array([1, 2]) } }
    await client.putItem({ TableName, Item: item })
    const FilterSpecification = {
      FilterExpression: 'bytes = :bytes',
      ExpressionAttributeValues: { ':bytes': { B: new Uint8Array([1, 2]) } },
    }
    const { ExportDescription } = await client.exportTableToPointInTime({
      TableArn: TableDescription!.TableArn!,
      S3Bucket: 'bucket',
      FilterSpecification,
    })
    const ExportArn = ExportDescription!.ExportArn!
    await waitUntilExportCompleted(waiter, { ExportArn })
    const described = await client.describeExport({ ExportArn })
    expect(described.ExportDescription).toMatchObject({ ItemCount: 1, FilterSpecification })
    const { ImportTableDescription } = await client.importTable({
      S3BucketSource: {
        S3Bucket: 'bucket',
        S3KeyPrefix: described.ExportDescription!.ExportManifest!.replace('manifest-summary.json', 'data/'),
      },
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
      TableCreationParameters: { TableName: 'again', ...definition },
    })
    await waitUntilImportCompleted(waiter, { ImportArn: ImportTableDescription!.ImportArn! })
    expect((await client.scan({ TableName: 'again' })).Items).toEqual([item])
    client.destroy()
  })
})

import { describe, expect, test } from 'vitest'
import {
  EXPORTS_AT_ONCE,
  IMPORTS_AT_ONCE,
  INCREMENTAL_EXPORT_MS_MAX,
  LIST_TRANSFERS_DEFAULT,
  TRANSFER_TOKEN_MS,
} from '../../../src/dynamodb/limits.js'
import type { ExportTableToPointInTimeInput } from '../../../src/dynamodb/operation-types.js'
import { refusal } from '../backups/store-with-clock.js'
import {
  exportEnded,
  exported,
  exporting,
  imported,
  importRequest,
  S3Bucket,
  TABLE_ARN,
  TableName,
} from './transferring.js'

const period = (fromMs: number, toMs?: number): Partial<ExportTableToPointInTimeInput> => ({
  ExportType: 'INCREMENTAL_EXPORT',
  IncrementalExportSpecification: {
    ExportFromTime: new Date(fromMs),
    ...(toMs !== undefined && { ExportToTime: new Date(toMs) }),
  },
})

describe('the period of an incremental export', () => {
  test('the period of an incremental export is at most 24 hours, begins before it ends, and is within the recovery period', async () => {
    const { store, clock } = await exporting()
    const createdMs = clock.ms
    clock.ms += 3 * INCREMENTAL_EXPORT_MS_MAX
    const refused = (fromMs: number, toMs?: number) => refusal(exported(store, period(fromMs, toMs)))
    const name = 'InvalidExportTimeException'
    expect(await refused(createdMs, createdMs + INCREMENTAL_EXPORT_MS_MAX + 1)).toEqual([
      name,
      'Difference between export period from time and export period to time is greater than 24 hours',
    ])
    expect(await refused(clock.ms, createdMs)).toEqual([
      name,
      'Incremental export period from time should not be greater or equal to incremental export period to time',
    ])
    const whole = await exported(store, period(createdMs, createdMs + INCREMENTAL_EXPORT_MS_MAX))
    expect([whole.ExportStatus, whole.ItemCount]).toEqual(['COMPLETED', 0])
    const disabled = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }
    await store.updateContinuousBackups({ TableName, ...disabled })
    expect(await refused(createdMs)).toEqual([
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${TableName}'`,
    ])
    await store.updateContinuousBackups({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    expect(await refused(clock.ms - INCREMENTAL_EXPORT_MS_MAX)).toEqual([
      name,
      'Point in Time Recovery is not available for specified export time',
    ])
  })

  test('may have times that no date can have, which are refused', async () => {
    const { store } = await exporting()
    const ExportFromTime = 1e300 as never
    const IncrementalExportSpecification = { ExportFromTime }
    const asked = { ExportType: 'INCREMENTAL_EXPORT' as const, IncrementalExportSpecification }
    expect((await refusal(exported(store, asked)))[0]).toBe('InvalidExportTimeException')
    expect(await refusal(exported(store, { ExportTime: new Date(Number.NaN) }))).toEqual([
      'InvalidExportTimeException',
      'Export Time is invalid',
    ])
  })
})

test('a token is valid for eight hours after its export ended', async () => {
  const { store, clock } = await exporting()
  const ClientToken = 'token'
  const first = await exported(store, { ClientToken })
  clock.ms += TRANSFER_TOKEN_MS - 1
  expect((await exported(store, { ClientToken })).ExportArn).toBe(first.ExportArn)
  clock.ms += 1
  expect((await exported(store, { ClientToken, ExportFormat: 'ION' })).ExportArn).not.toBe(first.ExportArn)
})

test('no more than 300 exports are in progress at once', async () => {
  const { store, clock } = await exporting({}, { transitionMs: 1000 })
  const start = () => store.exportTableToPointInTime({ TableArn: TABLE_ARN, S3Bucket })
  const begun = await Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, start))
  expect(await refusal(start())).toEqual([
    'LimitExceededException',
    'Subscriber limit exceeded: Only 300 exports can be in progress simultaneously',
  ])
  clock.ms += 1000
  const ended = await Promise.all(begun.map(({ ExportDescription }) => exportEnded(store, ExportDescription!)))
  expect(new Set(ended.map(({ ExportStatus }) => ExportStatus))).toEqual(new Set(['COMPLETED']))
  const another = exported(store)
  clock.ms += 1000
  expect((await another).ExportStatus).toBe('COMPLETED')
}, 30_000)

test('no more than 50 imports are in progress at once', async () => {
  const { store } = await exporting({}, { transitionMs: 1000 })
  const start = (n: number) => store.importTable(importRequest(`import-${n}`, ''))
  for (let n = 0; n < IMPORTS_AT_ONCE; n++) await start(n)
  expect(await refusal(start(IMPORTS_AT_ONCE))).toEqual([
    'LimitExceededException',
    'Subscriber limit exceeded: Only 50 imports can be in progress simultaneously',
  ])
})

test('a page has ten unless the request says how many, the newest first', async () => {
  const { store, clock } = await exporting()
  const arns: string[] = []
  for (let n = 0; n <= LIST_TRANSFERS_DEFAULT; n++) {
    clock.ms++
    arns.unshift((await exported(store)).ExportArn!)
  }
  const first = await store.listExports({})
  expect(first.ExportSummaries!.map(each => each.ExportArn)).toEqual(arns.slice(0, LIST_TRANSFERS_DEFAULT))
  const rest = await store.listExports({ NextToken: first.NextToken! })
  expect([rest.ExportSummaries!.map(each => each.ExportArn), rest.NextToken]).toEqual([arns.slice(-1), undefined])
  // ListImports rejects a token of ListExports. The token has the form that the service demands.
  expect(first.NextToken).toMatch(/^([0-9a-f]{16}){7,}$/)
  expect((await refusal(store.listImports({ NextToken: first.NextToken! })))[1]).toBe(
    `Invalid Request: Provided nextToken is invalid: ${first.NextToken}`,
  )
})

test('exports of a table are listed as long as it is there, and described longer', async () => {
  const { store } = await exporting()
  const ended = await exported(store)
  await store.deleteTable({ TableName })
  expect((await store.listExports({ TableArn: TABLE_ARN })).ExportSummaries).toEqual([])
  expect((await store.listExports({})).ExportSummaries).toHaveLength(1)
  const { ExportDescription } = await store.describeExport({ ExportArn: ended.ExportArn! })
  expect(ExportDescription).toEqual(ended)
})

test('an export is not found in a region other than that of its ARN', async () => {
  const { store } = await exporting()
  const { ExportArn } = await exported(store)
  const options = { region: 'eu-west-1' }
  expect(await refusal(store.describeExport({ ExportArn: ExportArn! }, options))).toEqual([
    'ExportNotFoundException',
    'Export not found: Invalid export arn',
  ])
  const call = store.exportTableToPointInTime({ TableArn: TABLE_ARN, S3Bucket }, options)
  expect(await refusal(call)).toEqual(['TableNotFoundException', `Table not found: ${TABLE_ARN}`])
})

test('a finished import lets its token go: the table is there', async () => {
  const { store } = await exporting()
  const asked = importRequest('again', 'nowhere', { ClientToken: 'token' })
  const ended = await imported(store, asked)
  expect(ended.FailureCode).toBe('S3NoSuchBucket')
  expect((await store.importTable(asked)).ImportTableDescription!.ImportArn).toBe(ended.ImportArn)
})

import {
  INCREMENTAL_EXPORT_MS_MIN,
  LIST_EXPORTS,
  S3_BUCKET_CHARACTERS,
  S3_PREFIX_CHARACTERS,
  SSE_KEY_ID_CHARACTERS,
  TRANSFER_ARN_CHARACTERS_MAX,
  TRANSFER_ARN_CHARACTERS_MIN,
} from '../../../dynamodb/limits.js'
import type { ExportDescription, ExportTableToPointInTimeInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withBucket, withCoverage } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

/** A table of its own, with recovery, and its ARN. */
export async function recoverableTable(bench: TestBench): Promise<{ TableName: string; TableArn: string }> {
  const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  await bench.eventually(() => bench.service.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification }))
  return { TableName, TableArn: await arnOf(bench, TableName) }
}

async function arnOf(bench: TestBench, TableName: string): Promise<string> {
  return (await bench.store.describeTable({ TableName })).Table!.TableArn!
}

/** Exports a table, and waits for the end. */
export async function exported(
  bench: TestBench,
  request: Omit<ExportTableToPointInTimeInput, 'S3Bucket'>,
): Promise<ExportDescription> {
  const { ExportDescription } = await bench.service.exportTableToPointInTime({ ...request, S3Bucket: bench.bucket })
  const { ExportArn } = ExportDescription!
  const described = await bench.ended(
    () => bench.service.describeExport({ ExportArn: ExportArn! }),
    answer => answer.ExportDescription?.ExportStatus,
  )
  return described.ExportDescription!
}

/** The ARN of a table that is not there. */
const absentTable = (arn: string) => `${arn}_absent`

const startCases = defineCases('exportTableToPointInTime', {
  'the answer describes the export, which is in progress': withBucket(async bench => {
    const { TableName, TableArn } = await recoverableTable(bench)
    await bench.put(TableName, { a: { S: 'a' } }, { a: { S: 'b' } })
    const request = { TableArn, S3Bucket: bench.bucket, S3Prefix: 'contract/some', ClientToken: bench.unique() }
    const { ExportDescription: begun } = await bench.service.exportTableToPointInTime(request)
    expectEqual([begun!.ExportStatus, begun!.TableArn, begun!.S3Bucket], ['IN_PROGRESS', TableArn, bench.bucket])
    expectEqual(
      [begun!.S3Prefix, begun!.ExportFormat, begun!.S3SseAlgorithm],
      ['contract/some', 'DYNAMODB_JSON', 'AES256'],
    )
    expectEqual([begun!.ClientToken, begun!.ExportTime], [request.ClientToken, begun!.StartTime])
    expectEqual([begun!.ExportType, begun!.EndTime, begun!.ItemCount], [undefined, undefined, undefined])
    const { ExportDescription: again } = await bench.service.exportTableToPointInTime(request)
    expectEqual(again!.ExportArn, begun!.ExportArn)
    const other = { ...request, ExportFormat: 'ION' } as const
    await expectRejection(
      bench.service.exportTableToPointInTime(other),
      'ExportConflictException',
      'Export conflict: Duplicate request detected with conflicting parameters',
    )
  }),

  'an export ends with its counts and its manifest': withBucket(async bench => {
    const { TableName, TableArn } = await recoverableTable(bench)
    await bench.put(TableName, { a: { S: 'a' } }, { a: { S: 'b' } })
    for (const ExportFormat of ['DYNAMODB_JSON', 'ION'] as const) {
      const ended = await exported(bench, { TableArn, ExportFormat, S3Prefix: 'contract/', ExportType: 'FULL_EXPORT' })
      expectEqual([ended.ExportStatus, ended.ItemCount, ended.ExportType], ['COMPLETED', 2, 'FULL_EXPORT'])
      const id = ended.ExportArn!.slice(ended.ExportArn!.lastIndexOf('/') + 1)
      expectEqual(/^\d{14}-[0-9a-f]{8}$/.test(id), true)
      expectEqual(ended.ExportManifest, `contract/AWSDynamoDB/${id}/manifest-summary.json`)
    }
  }),

  'only what a filter lets through is exported': withBucket(async bench => {
    const { TableName, TableArn } = await recoverableTable(bench)
    await bench.put(TableName, { a: { S: 'a' }, size: { N: '1' } }, { a: { S: 'b' }, size: { N: '2' } })
    const ExpressionAttributeValues = { ':one': { N: '1' } }
    const ExpressionAttributeNames = { '#size': 'size' }
    const filter = { FilterExpression: '#size > :one', ExpressionAttributeNames, ExpressionAttributeValues }
    const ended = await exported(bench, { TableArn, FilterSpecification: filter })
    expectEqual([ended.ItemCount, ended.FilterSpecification], [1, filter])
    const empty = bench.service.exportTableToPointInTime({ TableArn, S3Bucket: bench.bucket, FilterSpecification: {} })
    await expectValidationError(
      empty,
      'Invalid Request: Invalid FilterSpecification: The specification can not be empty',
    )
  }),

  'not without recovery, nor of a table that is not there': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const TableArn = await arnOf(bench, TableName)
    const start = (arn: string) => bench.service.exportTableToPointInTime({ TableArn: arn, S3Bucket: 'bucket' })
    await expectRejection(
      start(TableArn),
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${TableName}'`,
    )
    const absent = absentTable(TableArn)
    await expectRejection(start(absent), 'TableNotFoundException', `Table not found: ${absent}`)
    await expectValidationError(
      start(TableName),
      'One or more parameter values were invalid: tableArn is not a valid ARN',
    )
    await expectValidationError(start(`${TableArn}/index/byB`), 'Invalid Request: Table ARN is invalid.')
    const foreign = TableArn.replace(/:\d{12}:/, ':000000000000:')
    await expectRejection(start(foreign), 'AccessDeniedException', 'Access is denied')
  },

  'a full export has no period, and an incremental one begins at a time': async bench => {
    const TableArn = absentTable('arn:aws:dynamodb:us-east-1:000000000000:table/contract')
    const start = (more: Partial<ExportTableToPointInTimeInput>) =>
      bench.service.exportTableToPointInTime({ TableArn, S3Bucket: 'bucket', ...more })
    const period = { ExportFromTime: new Date(0) }
    const invalidRequest = (call: Promise<unknown>, message: string) =>
      expectValidationError(call, `Invalid Request: ${message}`)
    await invalidRequest(
      start({ IncrementalExportSpecification: period }),
      'Export Type expected to be Incremental Export when incremental export specification is provided',
    )
    await invalidRequest(
      start({ ExportType: 'FULL_EXPORT', IncrementalExportSpecification: period }),
      'When Export Type is Full Export , Incremental Export Specification should not be provided',
    )
    await invalidRequest(
      start({ ExportType: 'INCREMENTAL_EXPORT' }),
      'Incremental Export Specification expected when export type is set as Incremental Export',
    )
    await invalidRequest(
      start({ ExportType: 'INCREMENTAL_EXPORT', IncrementalExportSpecification: {} }),
      'ExportFromTime must be provided in IncrementalExportSpecification',
    )
    await invalidRequest(start({ S3SseKmsKeyId: 'key' }), 'KMS Key Id is not supported for this encryption type')
  },

  'times are within the recovery period, and a period is 15 minutes at least': withCoverage(
    ['limit:INCREMENTAL_EXPORT_MS_MIN'],
    async bench => {
      const { TableName, TableArn } = await recoverableTable(bench)
      const { Table } = await bench.store.describeTable({ TableName })
      const created = Table!.CreationDateTime!
      const refuse = (more: Partial<ExportTableToPointInTimeInput>, message: string | RegExp) =>
        expectRejection(
          bench.service.exportTableToPointInTime({ TableArn, S3Bucket: 'bucket', ...more }),
          'InvalidExportTimeException',
          message,
        )
      for (const ms of [created.getTime() - 3_600_000, Date.now() + 3_600_000])
        await refuse({ ExportTime: new Date(ms) }, 'Export Time is invalid')
      const from = (ExportFromTime: Date, ExportToTime?: Date) => ({
        ExportType: 'INCREMENTAL_EXPORT' as const,
        IncrementalExportSpecification: { ExportFromTime, ...(ExportToTime && { ExportToTime }) },
      })
      await refuse(
        from(new Date(created.getTime() - INCREMENTAL_EXPORT_MS_MIN)),
        /^Incremental export period from time cannot be less than the table creation time : /,
      )
      // At the very moment of its creation the period would have no length at all.
      await bench.eventually(() =>
        refuse(
          from(created),
          'Difference between export period from time and export period to time is less than 15 minutes',
        ),
      )
      await refuse(
        from(created, new Date(Date.now() + 3_600_000)),
        /^Incremental export period to time cannot be greater than the current time : /,
      )
    },
  ),

  'a bucket, a prefix and the id of a key are as long as they may be': withCoverage(
    ['limit:S3_BUCKET_CHARACTERS', 'limit:S3_PREFIX_CHARACTERS', 'limit:SSE_KEY_ID_CHARACTERS'],
    async bench => {
      const TableArn = absentTable(await arnOf(bench, await bench.createOwnTable(SIMPLE_KEY_TABLE)))
      const call = bench.service.exportTableToPointInTime({
        TableArn,
        S3Bucket: 'b'.repeat(S3_BUCKET_CHARACTERS),
        S3Prefix: 'p'.repeat(S3_PREFIX_CHARACTERS),
        S3SseAlgorithm: 'KMS',
        S3SseKmsKeyId: 'k'.repeat(SSE_KEY_ID_CHARACTERS),
      })
      await expectRejection(call, 'TableNotFoundException', `Table not found: ${TableArn}`)
    },
  ),
})

const describeCases = defineCases('describeExport', {
  'an export that is not there is named in the refusal': async bench => {
    const TableArn = await arnOf(bench, await bench.createOwnTable(SIMPLE_KEY_TABLE))
    const ExportArn = `${TableArn}/export/01576616366715-b4e58d3a`
    const describe = (arn: string) => bench.service.describeExport({ ExportArn: arn })
    await expectRejection(
      describe(ExportArn),
      'ExportNotFoundException',
      `Export not found: Export not found: ${ExportArn}`,
    )
    await expectValidationError(describe(TableArn), 'Invalid Export ARN')
    await expectValidationError(describe(ExportArn.replace('/export/', '/import/')), 'Invalid Export ARN')
    await expectRejection(
      describe(ExportArn.replace(/:\d{12}:/, ':000000000000:')),
      'AccessDeniedException',
      'Access is denied',
    )
  },

  'an ARN has 37 to 1024 characters, and is that of an export': withCoverage(
    ['limit:TRANSFER_ARN_CHARACTERS_MIN', 'limit:TRANSFER_ARN_CHARACTERS_MAX'],
    async bench => {
      for (const length of [TRANSFER_ARN_CHARACTERS_MIN, TRANSFER_ARN_CHARACTERS_MAX])
        await expectValidationError(
          bench.service.describeExport({ ExportArn: 'a'.repeat(length) }),
          'Invalid Export ARN',
        )
    },
  ),
})

const listCases = defineCases('listExports', {
  'exports of a table come page by page, the newest first': withBucket(async bench => {
    const { TableArn } = await recoverableTable(bench)
    const first = await exported(bench, { TableArn })
    const second = await exported(bench, { TableArn })
    const page = await bench.service.listExports({ TableArn, MaxResults: 1 })
    const summary = { ExportStatus: 'COMPLETED', ExportType: 'FULL_EXPORT' }
    expectEqual(page.ExportSummaries, [{ ExportArn: second.ExportArn, ...summary }])
    const rest = await bench.service.listExports({ TableArn, MaxResults: 1, NextToken: page.NextToken! })
    expectEqual([rest.ExportSummaries, rest.NextToken], [[{ ExportArn: first.ExportArn, ...summary }], undefined])
  }),

  'a page has at most 25; a table that is not there has none': withCoverage(['limit:LIST_EXPORTS'], async bench => {
    const TableArn = absentTable(await arnOf(bench, await bench.createOwnTable(SIMPLE_KEY_TABLE)))
    expectEqual((await bench.service.listExports({ TableArn, MaxResults: LIST_EXPORTS })).ExportSummaries, [])
    await expectRejection(bench.service.listExports({ TableArn, MaxResults: LIST_EXPORTS + 1 }), 'ValidationException')
    await expectValidationError(
      bench.service.listExports({ NextToken: 'nonsense' }),
      'Invalid Request: Provided nextToken is invalid: nonsense',
    )
  }),
})

export const exportCases = [...startCases, ...describeCases, ...listCases]

import type { Item } from '../../../dynamodb/attribute-value.js'
import {
  CSV_HEADER_CHARACTERS,
  CSV_HEADERS,
  IMPORT_TOKEN_CHARACTERS_MAX,
  IMPORT_TOKEN_CHARACTERS_MIN,
  LIST_IMPORTS,
} from '../../../dynamodb/limits.js'
import type { ImportTableDescription, ImportTableInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withBucket, withCoverage } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'
import { exported, recoverableTable } from './exports.js'

const FULL: Item = {
  a: { S: 'a' },
  text: { S: '"quoted" \\ new\nline ☃' },
  number: { N: '-1.5' },
  bytes: { B: new Uint8Array([0, 255]) },
  list: { L: [{ NULL: true }, { BOOL: false }, { M: { 'a.b': { NS: ['1', '2'] } } }] },
}

function requestFor(bench: TestBench, TableName: string, S3KeyPrefix: string): ImportTableInput {
  return {
    S3BucketSource: { S3Bucket: bench.bucket, S3KeyPrefix },
    InputFormat: 'DYNAMODB_JSON',
    InputCompressionType: 'GZIP',
    ClientToken: bench.unique(),
    TableCreationParameters: {
      TableName,
      AttributeDefinitions: SIMPLE_KEY_TABLE.AttributeDefinitions!,
      KeySchema: SIMPLE_KEY_TABLE.KeySchema!,
      BillingMode: 'PAY_PER_REQUEST',
    },
  }
}

/** Imports a table, and waits for the end. */
async function imported(bench: TestBench, request: ImportTableInput): Promise<ImportTableDescription> {
  const { ImportTableDescription } = await bench.service.importTable(request)
  const { ImportArn } = ImportTableDescription!
  const described = await bench.ended(
    () => bench.service.describeImport({ ImportArn: ImportArn! }),
    answer => answer.ImportTableDescription?.ImportStatus,
  )
  return described.ImportTableDescription!
}

const nowhere = (bench: TestBench) => `${bench.unique('nowhere')}/`

const startCases = defineCases('importTable', {
  'a table is made of an export, as its table was': withBucket(async bench => {
    const { TableName, TableArn } = await recoverableTable(bench)
    await bench.put(TableName, FULL, { a: { S: 'b' } })
    for (const ExportFormat of ['DYNAMODB_JSON', 'ION'] as const) {
      const { ExportManifest } = await exported(bench, { TableArn, ExportFormat })
      const prefix = ExportManifest!.replace('manifest-summary.json', 'data/')
      const target = bench.newTableName()
      const ended = await imported(bench, { ...requestFor(bench, target, prefix), InputFormat: ExportFormat })
      expectEqual([ended.ImportStatus, ended.ProcessedItemCount, ended.ImportedItemCount], ['COMPLETED', 2, 2])
      expectEqual([ended.ErrorCount, ended.FailureCode], [0, undefined])
      await bench.waitUntilActive(target)
      expectEqual(await bench.get(target, { a: { S: 'a' } }), FULL)
      expectEqual((await bench.store.scan({ TableName: target })).Count, 2)
    }
  }),

  'the answer describes the import, which is in progress': withBucket(async bench => {
    const TableName = bench.newTableName()
    const prefix = nowhere(bench)
    const { InputCompressionType: _, ...request } = requestFor(bench, TableName, prefix)
    const { ImportTableDescription: begun } = await bench.service.importTable(request)
    expectEqual(
      [begun!.ImportStatus, begun!.InputCompressionType, begun!.InputFormat],
      ['IN_PROGRESS', 'NONE', 'DYNAMODB_JSON'],
    )
    expectEqual([begun!.ProcessedItemCount, begun!.ImportedItemCount, begun!.ErrorCount], [0, 0, 0])
    expectEqual(
      [begun!.EndTime, begun!.ProcessedSizeBytes, begun!.InputFormatOptions],
      [undefined, undefined, undefined],
    )
    expectEqual(begun!.ImportArn!.slice(0, begun!.ImportArn!.lastIndexOf('/import/')), begun!.TableArn)
    expectEqual(begun!.TableCreationParameters, request.TableCreationParameters)
    const { S3Bucket, S3KeyPrefix, S3BucketOwner } = begun!.S3BucketSource!
    expectEqual([S3Bucket, S3KeyPrefix, /^\d{12}$/.test(S3BucketOwner!)], [bench.bucket, prefix, true])
  }),

  'a prefix of no object makes an empty table': withBucket(async bench => {
    const TableName = bench.newTableName()
    const ended = await imported(bench, requestFor(bench, TableName, nowhere(bench)))
    expectEqual([ended.ImportStatus, ended.ProcessedItemCount, ended.FailureCode], ['COMPLETED', 0, undefined])
    await bench.waitUntilActive(TableName)
    const { Table } = await bench.store.describeTable({ TableName })
    expectEqual(Table!.TableId, ended.TableId)
    await expectRejection(
      bench.service.importTable(requestFor(bench, TableName, nowhere(bench))),
      'ResourceInUseException',
      `Table already exists: ${TableName}`,
    )
  }),

  'without its bucket, an import fails and leaves no table': withBucket(async bench => {
    const TableName = bench.newTableName()
    const request = requestFor(bench, TableName, '')
    const S3Bucket = `absent-${crypto.randomUUID()}`
    const ended = await imported(bench, { ...request, S3BucketSource: { S3Bucket } })
    expectEqual([ended.ImportStatus, ended.FailureCode, ended.ErrorCount], ['FAILED', 'S3NoSuchBucket', 0])
    expectEqual(/^The specified bucket does not exist/.test(ended.FailureMessage!), true)
    await expectRejection(bench.store.describeTable({ TableName }), 'ResourceNotFoundException')
  }),

  'an object that is not compressed as it is said to be is an error': withBucket(async bench => {
    const { TableName, TableArn } = await recoverableTable(bench)
    await bench.put(TableName, { a: { S: 'a' } })
    const { ExportManifest } = await exported(bench, { TableArn })
    const request = requestFor(bench, bench.newTableName(), ExportManifest!)
    const ended = await imported(bench, request)
    expectEqual([ended.ImportStatus, ended.FailureCode], ['FAILED', 'ItemValidationError'])
    expectEqual([ended.ProcessedItemCount, ended.ImportedItemCount, ended.ErrorCount], [1, 0, 1])
    expectEqual(/^Some of the items failed validation checks and were not imported\./.test(ended.FailureMessage!), true)
    await bench.waitUntilActive(request.TableCreationParameters.TableName)
  }),

  'a token is of one table': withBucket(async bench => {
    const request = requestFor(bench, bench.newTableName(), nowhere(bench))
    await bench.service.importTable(request)
    const other = { ...request.TableCreationParameters, TableName: bench.newTableName() }
    await expectRejection(
      bench.service.importTable({ ...request, TableCreationParameters: other }),
      'ImportConflictException',
      'Import conflict: Duplicate request detected with conflicting parameters',
    )
  }),

  'options of CSV are for CSV, and capacity is as for any table': withCoverage(
    ['limit:CSV_HEADERS', 'limit:CSV_HEADER_CHARACTERS'],
    async bench => {
      const request = requestFor(bench, bench.newTableName(), '')
      const HeaderList = [...Array(CSV_HEADERS - 1).fill('h'), 'h'.repeat(CSV_HEADER_CHARACTERS)]
      const InputFormatOptions = { Csv: { HeaderList } }
      const source = { ...request, S3BucketSource: { S3Bucket: 'bucket' } }
      await expectValidationError(
        bench.service.importTable({ ...source, InputFormatOptions }),
        'Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.',
      )
      const { BillingMode: _, ...parameters } = request.TableCreationParameters
      await expectValidationError(
        bench.service.importTable({ ...source, TableCreationParameters: parameters }),
        'One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified ' +
          'when BillingMode is PROVISIONED',
      )
    },
  ),
})

const describeCases = defineCases('describeImport', {
  'an import that is not there is named in the refusal': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const TableArn = (await bench.store.describeTable({ TableName })).Table!.TableArn!
    const ImportArn = `${TableArn}/import/01576616366715-b4e58d3a`
    const describe = (arn: string) => bench.service.describeImport({ ImportArn: arn })
    await expectRejection(describe(ImportArn), 'ImportNotFoundException', /^Import not found: /)
    await expectValidationError(describe(TableArn), 'Invalid Import ARN')
    await expectValidationError(describe(ImportArn.replace('/import/', '/export/')), 'Invalid Import ARN')
    const foreign = ImportArn.replace(/:\d{12}:/, ':000000000000:')
    await expectRejection(describe(foreign), 'AccessDeniedException', 'Access is denied')
  },
})

const listCases = defineCases('listImports', {
  'imports into a table stay listed when it is gone': withBucket(async bench => {
    const TableName = bench.newTableName()
    const ended = await imported(bench, requestFor(bench, TableName, nowhere(bench)))
    await bench.waitUntilActive(TableName)
    await bench.store.deleteTable({ TableName })
    const { ImportSummaryList } = await bench.service.listImports({ TableArn: ended.TableArn! })
    const [{ CloudWatchLogGroupArn: _, ...summary } = {}, ...more] = ImportSummaryList!
    const { ImportArn, ImportStatus, TableArn, S3BucketSource, InputFormat, StartTime, EndTime } = ended
    expectEqual(
      [summary, more],
      [{ ImportArn, ImportStatus, TableArn, S3BucketSource, InputFormat, StartTime, EndTime }, []],
    )
  }),

  'a page has at most 25; a token is one that was answered': withCoverage(
    ['limit:LIST_IMPORTS', 'limit:IMPORT_TOKEN_CHARACTERS_MIN', 'limit:IMPORT_TOKEN_CHARACTERS_MAX'],
    async bench => {
      const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
      const TableArn = (await bench.store.describeTable({ TableName })).Table!.TableArn!
      expectEqual((await bench.service.listImports({ TableArn, PageSize: LIST_IMPORTS })).ImportSummaryList, [])
      await expectRejection(bench.service.listImports({ TableArn, PageSize: LIST_IMPORTS + 1 }), 'ValidationException')
      for (const length of [IMPORT_TOKEN_CHARACTERS_MIN, IMPORT_TOKEN_CHARACTERS_MAX]) {
        const NextToken = '0'.repeat(length)
        await expectValidationError(
          bench.service.listImports({ NextToken }),
          `Invalid Request: Provided nextToken is invalid: ${NextToken}`,
        )
      }
    },
  ),
})

export const importCases = [...startCases, ...describeCases, ...listCases]

import { BACKUP_ARN_CHARACTERS_MAX, BACKUP_ARN_CHARACTERS_MIN, LIST_BACKUPS } from '../../../dynamodb/limits.js'
import type { BackupDetails } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { type CaseRunner, defineCases, withCoverage } from '../../contract-case.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  indexDefinition,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

const INDEXED = {
  ...COMPOSITE_KEY_TABLE,
  AttributeDefinitions: textAttributes('a', 'b', 'c'),
  GlobalSecondaryIndexes: [indexDefinition('byC', hashKey('c'))],
}
const ITEM = { a: { S: 'a' }, b: { S: 'b' }, c: { S: 'c' } }

interface BackupFixture {
  readonly TableName: string
  readonly BackupArn: string
  readonly createdAt: BackupDetails
}

/** Creates a case with a table and a backup of it, which is deleted afterwards. */
function withBackup(run: (bench: TestBench, given: BackupFixture) => Promise<void>): CaseRunner {
  return async bench => {
    const TableName = await bench.createOwnTable(INDEXED)
    await bench.put(TableName, ITEM)
    const createdAt = await createBackupOf(bench, TableName, 'first')
    try {
      await run(bench, { TableName, BackupArn: createdAt.BackupArn!, createdAt })
    } finally {
      await bench.eventually(() => deleteBackupOf(bench, createdAt.BackupArn!))
    }
  }
}

/** A new table cannot be backed up for some seconds. */
async function createBackupOf(bench: TestBench, TableName: string, BackupName: string): Promise<BackupDetails> {
  const answer = await bench.eventually(() => bench.service.createBackup({ TableName, BackupName }))
  await bench.eventually(async () => {
    const { BackupDescription } = await bench.service.describeBackup({ BackupArn: answer.BackupDetails!.BackupArn! })
    expectEqual(BackupDescription!.BackupDetails!.BackupStatus, 'AVAILABLE')
  })
  return answer.BackupDetails!
}

const deleteBackupOf = ({ service }: TestBench, BackupArn: string) =>
  service.deleteBackup({ BackupArn }).catch((error: Error) => {
    if (error.name !== 'BackupNotFoundException') throw error
  })

/** Changes a backup ARN so that it refers to a missing backup. */
const missingBackupArn = (BackupArn: string) => BackupArn.replace(/\/backup\/.*$/, '/backup/01576616366715-b4e58d3a')

const createCases = defineCases('createBackup', {
  'the response names the backup, which is still in progress': withBackup(async (_, { TableName, createdAt }) => {
    expectEqual([createdAt.BackupName, createdAt.BackupStatus, createdAt.BackupType], ['first', 'CREATING', 'USER'])
    expectEqual(new RegExp(`:table/${TableName}/backup/\\d{14}-[0-9a-f]{8}$`).test(createdAt.BackupArn!), true)
  }),

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    const call = bench.service.createBackup({ TableName, BackupName: 'first' })
    await expectRejection(call, 'TableNotFoundException', `Table not found: ${TableName}`)
  },
})

const describeCases = defineCases('describeBackup', {
  'a backup describes its source table': withBackup(async (bench, { TableName, BackupArn, createdAt }) => {
    const { BackupDescription } = await bench.service.describeBackup({ BackupArn })
    const { BackupDetails, SourceTableDetails, SourceTableFeatureDetails } = BackupDescription!
    expectEqual([BackupDetails!.BackupArn, BackupDetails!.BackupStatus], [BackupArn, 'AVAILABLE'])
    expectEqual(BackupDetails!.BackupCreationDateTime, createdAt.BackupCreationDateTime)
    const { BillingMode, KeySchema, ProvisionedThroughput } = SourceTableDetails!
    expectEqual(
      [SourceTableDetails!.TableName, BillingMode, KeySchema],
      [TableName, 'PAY_PER_REQUEST', INDEXED.KeySchema],
    )
    expectEqual(ProvisionedThroughput, { ReadCapacityUnits: 0, WriteCapacityUnits: 0 })
    const { IndexName, KeySchema: keys, Projection } = SourceTableFeatureDetails!.GlobalSecondaryIndexes![0]!
    expectEqual([IndexName, keys, Projection], ['byC', [hashKey('c')], { ProjectionType: 'ALL' }])
  }),

  'a missing backup is named in the error': withBackup(async (bench, { BackupArn }) => {
    const arn = missingBackupArn(BackupArn)
    const call = bench.service.describeBackup({ BackupArn: arn })
    await expectRejection(call, 'BackupNotFoundException', `Backup not found: ${arn}`)
  }),

  'an ARN has 37 to 1024 characters, and is that of a backup': withCoverage(
    ['limit:BACKUP_ARN_CHARACTERS_MIN', 'limit:BACKUP_ARN_CHARACTERS_MAX'],
    async bench => {
      for (const length of [BACKUP_ARN_CHARACTERS_MIN, BACKUP_ARN_CHARACTERS_MAX])
        await expectValidationError(
          bench.service.describeBackup({ BackupArn: 'a'.repeat(length) }),
          'Invalid Backup ARN',
        )
    },
  ),
})

const listCases = defineCases('listBackups', {
  'backups of a table are listed in the order of their creation, across pages': withBackup(async (bench, given) => {
    const { TableName, BackupArn } = given
    const { BackupArn: second } = await createBackupOf(bench, TableName, 'first')
    try {
      const first = await bench.service.listBackups({ TableName, Limit: 1 })
      expectEqual(
        first.BackupSummaries!.map(each => each.BackupArn),
        [BackupArn],
      )
      expectEqual(first.LastEvaluatedBackupArn, BackupArn)
      const rest = await bench.service.listBackups({ TableName, Limit: 1, ExclusiveStartBackupArn: BackupArn })
      expectEqual(
        [rest.BackupSummaries!.map(each => each.BackupArn), rest.LastEvaluatedBackupArn],
        [[second], undefined],
      )
    } finally {
      await deleteBackupOf(bench, second!)
    }
  }),

  'the time range includes the lower bound and excludes the upper one': withBackup(
    async (bench, { TableName, createdAt }) => {
      const at = createdAt.BackupCreationDateTime!
      const count = async (TimeRangeLowerBound: Date, TimeRangeUpperBound: Date) => {
        const range = { TableName, TimeRangeLowerBound, TimeRangeUpperBound }
        return (await bench.service.listBackups(range)).BackupSummaries!.length
      }
      const [before, after] = [new Date(at.getTime() - 60_000), new Date(at.getTime() + 60_000)]
      expectEqual([await count(at, after), await count(before, at), await count(before, after)], [1, 0, 1])
      await expectValidationError(
        count(after, before),
        'One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound',
      )
    },
  ),

  'a page has at most 100 backups, and a missing table has no backups': withCoverage(
    ['limit:LIST_BACKUPS'],
    async bench => {
      const TableName = bench.newTableName()
      const { BackupSummaries } = await bench.service.listBackups({ TableName, Limit: LIST_BACKUPS })
      expectEqual(BackupSummaries, [])
      await expectRejection(bench.service.listBackups({ TableName, Limit: LIST_BACKUPS + 1 }), 'ValidationException')
    },
  ),
})

const deleteCases = defineCases('deleteBackup', {
  'a deleted backup disappears at once': withBackup(async (bench, { TableName, BackupArn }) => {
    const { BackupDescription } = await bench.service.deleteBackup({ BackupArn })
    expectEqual(BackupDescription!.BackupDetails!.BackupStatus, 'DELETED')
    for (const call of [bench.service.describeBackup({ BackupArn }), bench.service.deleteBackup({ BackupArn })])
      await expectRejection(call, 'BackupNotFoundException', `Backup not found: ${BackupArn}`)
    expectEqual((await bench.service.listBackups({ TableName })).BackupSummaries, [])
  }),
})

const fromBackupCases = defineCases('restoreTableFromBackup', {
  'a restored table has the settings and items of its source': withBackup(
    async (bench, { TableName, BackupArn, createdAt }) => {
      await bench.put(TableName, { ...ITEM, c: { S: 'later' } }, { a: { S: 'later' }, b: { S: 'b' } })
      const TargetTableName = bench.newTableName()
      const { TableDescription } = await bench.service.restoreTableFromBackup({ TargetTableName, BackupArn })
      expectEqual([TableDescription!.TableName, TableDescription!.TableStatus], [TargetTableName, 'CREATING'])
      const { SourceBackupArn, RestoreDateTime, RestoreInProgress } = TableDescription!.RestoreSummary!
      expectEqual(
        [SourceBackupArn, RestoreDateTime, RestoreInProgress],
        [BackupArn, createdAt.BackupCreationDateTime, true],
      )
      await bench.waitUntilActive(TargetTableName)
      expectEqual((await bench.store.scan({ TableName: TargetTableName, ConsistentRead: true })).Items, [ITEM])
      expectEqual((await bench.store.scan({ TableName: TargetTableName, IndexName: 'byC' })).Items, [ITEM])
    },
  ),

  'a backup cannot be restored into an existing table': withBackup(async (bench, { TableName, BackupArn }) => {
    const call = bench.service.restoreTableFromBackup({ TargetTableName: TableName, BackupArn })
    await expectRejection(call, 'TableAlreadyExistsException', `Table already exists: ${TableName}`)
  }),

  'a missing backup cannot be restored': withBackup(async (bench, { BackupArn }) => {
    const arn = missingBackupArn(BackupArn)
    const call = bench.service.restoreTableFromBackup({ TargetTableName: bench.newTableName(), BackupArn: arn })
    await expectRejection(call, 'BackupNotFoundException', `Backup not found: ${arn}`)
  }),
})

const toPointInTimeCases = defineCases('restoreTableToPointInTime', {
  'a table is restored to an earlier state of another table': async bench => {
    const SourceTableName = await bench.createOwnTable(INDEXED)
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    await bench.eventually(() =>
      bench.service.updateContinuousBackups({ TableName: SourceTableName, PointInTimeRecoverySpecification }),
    )
    const TargetTableName = bench.newTableName()
    const request = { SourceTableName, TargetTableName, UseLatestRestorableTime: true }
    const { TableDescription } = await bench.service.restoreTableToPointInTime(request)
    expectEqual(
      [TableDescription!.TableStatus, TableDescription!.RestoreSummary!.RestoreInProgress],
      ['CREATING', true],
    )
    await bench.waitUntilActive(TargetTableName)
    expectEqual((await bench.store.scan({ TableName: TargetTableName })).Items, [])
    const early = { SourceTableName, TargetTableName: bench.newTableName(), RestoreDateTime: new Date(0) }
    await expectRejection(
      bench.service.restoreTableToPointInTime(early),
      'InvalidRestoreTimeException',
      /^RestoreDateTime '1970-01-01T00:00:00Z' must be within EarliestRestorableDateTime '/,
    )
    await bench.service.updateContinuousBackups({
      TableName: SourceTableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    })
  },

  'a restore without recovery enabled, or to two times, is rejected': async bench => {
    const SourceTableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const request = { SourceTableName, TargetTableName: bench.newTableName(), UseLatestRestorableTime: true }
    await bench.eventually(() =>
      expectRejection(
        bench.service.restoreTableToPointInTime(request),
        'PointInTimeRecoveryUnavailableException',
        `Point in time recovery is not enabled for table '${SourceTableName}'`,
      ),
    )
    await expectValidationError(
      bench.service.restoreTableToPointInTime({ ...request, RestoreDateTime: new Date() }),
      /^Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set/,
    )
    await expectValidationError(
      bench.service.restoreTableToPointInTime({ ...request, UseLatestRestorableTime: false }),
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    )
  },

  'a missing table is named in the error': async bench => {
    const SourceTableName = bench.newTableName()
    const request = { SourceTableName, TargetTableName: bench.newTableName(), UseLatestRestorableTime: true }
    const call = bench.service.restoreTableToPointInTime(request)
    await expectRejection(call, 'TableNotFoundException', `Table not found: ${SourceTableName}`)
  },
})

export const backupCases = [
  ...createCases,
  ...describeCases,
  ...listCases,
  ...deleteCases,
  ...fromBackupCases,
  ...toPointInTimeCases,
]

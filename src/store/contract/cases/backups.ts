import { BACKUP_ARN_CHARACTERS_MAX, BACKUP_ARN_CHARACTERS_MIN, LIST_BACKUPS } from '../../../dynamodb/limits.js'
import type { BackupDetails } from '../../../dynamodb/operations/backups.js'
import type { Bench } from '../bench.js'
import { cases, covering, type Run } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { hash, index, PAIR, SINGLE, texts } from './table-definitions.js'

const INDEXED = {
  ...PAIR,
  AttributeDefinitions: texts('a', 'b', 'c'),
  GlobalSecondaryIndexes: [index('byC', hash('c'))],
}
const ITEM = { a: { S: 'a' }, b: { S: 'b' }, c: { S: 'c' } }

interface BackedUp {
  readonly TableName: string
  readonly BackupArn: string
  readonly made: BackupDetails
}

/** A case with a table, and a backup of it that is removed afterwards. */
function withBackup(run: (bench: Bench, given: BackedUp) => Promise<void>): Run {
  return async bench => {
    const TableName = await bench.ownTable(INDEXED)
    await bench.put(TableName, ITEM)
    const made = await backup(bench, TableName, 'first')
    try {
      await run(bench, { TableName, BackupArn: made.BackupArn!, made })
    } finally {
      await bench.eventually(() => remove(bench, made.BackupArn!))
    }
  }
}

/** A new table cannot be backed up for some seconds. */
async function backup(bench: Bench, TableName: string, BackupName: string): Promise<BackupDetails> {
  const answer = await bench.eventually(() => bench.service.createBackup({ TableName, BackupName }))
  await bench.eventually(async () => {
    const { BackupDescription } = await bench.service.describeBackup({ BackupArn: answer.BackupDetails!.BackupArn! })
    same(BackupDescription!.BackupDetails!.BackupStatus, 'AVAILABLE')
  })
  return answer.BackupDetails!
}

const remove = ({ service }: Bench, BackupArn: string) =>
  service.deleteBackup({ BackupArn }).catch((error: Error) => {
    if (error.name !== 'BackupNotFoundException') throw error
  })

/** An ARN like the other, of a backup that there is not. */
const absent = (BackupArn: string) => BackupArn.replace(/\/backup\/.*$/, '/backup/01576616366715-b4e58d3a')

const createCases = cases('createBackup', {
  'the answer names the backup, which is being made': withBackup(async (_, { TableName, made }) => {
    same([made.BackupName, made.BackupStatus, made.BackupType], ['first', 'CREATING', 'USER'])
    same(new RegExp(`:table/${TableName}/backup/\\d{14}-[0-9a-f]{8}$`).test(made.BackupArn!), true)
  }),

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    const call = bench.service.createBackup({ TableName, BackupName: 'first' })
    await refused(call, 'TableNotFoundException', `Table not found: ${TableName}`)
  },
})

const describeCases = cases('describeBackup', {
  'a backup tells what its table was': withBackup(async (bench, { TableName, BackupArn, made }) => {
    const { BackupDescription } = await bench.service.describeBackup({ BackupArn })
    const { BackupDetails, SourceTableDetails, SourceTableFeatureDetails } = BackupDescription!
    same([BackupDetails!.BackupArn, BackupDetails!.BackupStatus], [BackupArn, 'AVAILABLE'])
    same(BackupDetails!.BackupCreationDateTime, made.BackupCreationDateTime)
    const { BillingMode, KeySchema, ProvisionedThroughput } = SourceTableDetails!
    same([SourceTableDetails!.TableName, BillingMode, KeySchema], [TableName, 'PAY_PER_REQUEST', INDEXED.KeySchema])
    same(ProvisionedThroughput, { ReadCapacityUnits: 0, WriteCapacityUnits: 0 })
    const { IndexName, KeySchema: keys, Projection } = SourceTableFeatureDetails!.GlobalSecondaryIndexes![0]!
    same([IndexName, keys, Projection], ['byC', [hash('c')], { ProjectionType: 'ALL' }])
  }),

  'one that is not there is named in the refusal': withBackup(async (bench, { BackupArn }) => {
    const arn = absent(BackupArn)
    const call = bench.service.describeBackup({ BackupArn: arn })
    await refused(call, 'BackupNotFoundException', `Backup not found: ${arn}`)
  }),

  'an ARN has 37 to 1024 characters, and is that of a backup': covering(
    ['limit:BACKUP_ARN_CHARACTERS_MIN', 'limit:BACKUP_ARN_CHARACTERS_MAX'],
    async bench => {
      for (const length of [BACKUP_ARN_CHARACTERS_MIN, BACKUP_ARN_CHARACTERS_MAX])
        await invalid(bench.service.describeBackup({ BackupArn: 'a'.repeat(length) }), 'Invalid Backup ARN')
    },
  ),
})

const listCases = cases('listBackups', {
  'backups of a table come in the order in which they were made, page by page': withBackup(async (bench, given) => {
    const { TableName, BackupArn } = given
    const { BackupArn: second } = await backup(bench, TableName, 'first')
    try {
      const first = await bench.service.listBackups({ TableName, Limit: 1 })
      same(
        first.BackupSummaries!.map(each => each.BackupArn),
        [BackupArn],
      )
      same(first.LastEvaluatedBackupArn, BackupArn)
      const rest = await bench.service.listBackups({ TableName, Limit: 1, ExclusiveStartBackupArn: BackupArn })
      same([rest.BackupSummaries!.map(each => each.BackupArn), rest.LastEvaluatedBackupArn], [[second], undefined])
    } finally {
      await remove(bench, second!)
    }
  }),

  'times are from the lower bound to before the upper one': withBackup(async (bench, { TableName, made }) => {
    const at = made.BackupCreationDateTime!
    const count = async (TimeRangeLowerBound: Date, TimeRangeUpperBound: Date) => {
      const range = { TableName, TimeRangeLowerBound, TimeRangeUpperBound }
      return (await bench.service.listBackups(range)).BackupSummaries!.length
    }
    const [before, after] = [new Date(at.getTime() - 60_000), new Date(at.getTime() + 60_000)]
    same([await count(at, after), await count(before, at), await count(before, after)], [1, 0, 1])
    await invalid(
      count(after, before),
      'One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound',
    )
  }),

  'a page has at most a hundred; a table that is not there has none': covering(['limit:LIST_BACKUPS'], async bench => {
    const TableName = bench.ownName()
    const { BackupSummaries } = await bench.service.listBackups({ TableName, Limit: LIST_BACKUPS })
    same(BackupSummaries, [])
    await refused(bench.service.listBackups({ TableName, Limit: LIST_BACKUPS + 1 }), 'ValidationException')
  }),
})

const deleteCases = cases('deleteBackup', {
  'a backup is gone at once': withBackup(async (bench, { TableName, BackupArn }) => {
    const { BackupDescription } = await bench.service.deleteBackup({ BackupArn })
    same(BackupDescription!.BackupDetails!.BackupStatus, 'DELETED')
    for (const call of [bench.service.describeBackup({ BackupArn }), bench.service.deleteBackup({ BackupArn })])
      await refused(call, 'BackupNotFoundException', `Backup not found: ${BackupArn}`)
    same((await bench.service.listBackups({ TableName })).BackupSummaries, [])
  }),
})

const fromBackupCases = cases('restoreTableFromBackup', {
  'a table is made of a backup, as its table was': withBackup(async (bench, { TableName, BackupArn, made }) => {
    await bench.put(TableName, { ...ITEM, c: { S: 'later' } }, { a: { S: 'later' }, b: { S: 'b' } })
    const TargetTableName = bench.ownName()
    const { TableDescription } = await bench.service.restoreTableFromBackup({ TargetTableName, BackupArn })
    same([TableDescription!.TableName, TableDescription!.TableStatus], [TargetTableName, 'CREATING'])
    const { SourceBackupArn, RestoreDateTime, RestoreInProgress } = TableDescription!.RestoreSummary!
    same([SourceBackupArn, RestoreDateTime, RestoreInProgress], [BackupArn, made.BackupCreationDateTime, true])
    await bench.active(TargetTableName)
    same((await bench.store.scan({ TableName: TargetTableName, ConsistentRead: true })).Items, [ITEM])
    same((await bench.store.scan({ TableName: TargetTableName, IndexName: 'byC' })).Items, [ITEM])
  }),

  'not into a table that there is': withBackup(async (bench, { TableName, BackupArn }) => {
    const call = bench.service.restoreTableFromBackup({ TargetTableName: TableName, BackupArn })
    await refused(call, 'TableAlreadyExistsException', `Table already exists: ${TableName}`)
  }),

  'not of a backup that is not there': withBackup(async (bench, { BackupArn }) => {
    const arn = absent(BackupArn)
    const call = bench.service.restoreTableFromBackup({ TargetTableName: bench.ownName(), BackupArn: arn })
    await refused(call, 'BackupNotFoundException', `Backup not found: ${arn}`)
  }),
})

const toPointInTimeCases = cases('restoreTableToPointInTime', {
  'a table is made of what another was': async bench => {
    const SourceTableName = await bench.ownTable(INDEXED)
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    await bench.eventually(() =>
      bench.service.updateContinuousBackups({ TableName: SourceTableName, PointInTimeRecoverySpecification }),
    )
    const TargetTableName = bench.ownName()
    const request = { SourceTableName, TargetTableName, UseLatestRestorableTime: true }
    const { TableDescription } = await bench.service.restoreTableToPointInTime(request)
    same([TableDescription!.TableStatus, TableDescription!.RestoreSummary!.RestoreInProgress], ['CREATING', true])
    await bench.active(TargetTableName)
    same((await bench.store.scan({ TableName: TargetTableName })).Items, [])
    const early = { SourceTableName, TargetTableName: bench.ownName(), RestoreDateTime: new Date(0) }
    await refused(
      bench.service.restoreTableToPointInTime(early),
      'InvalidRestoreTimeException',
      /^RestoreDateTime '1970-01-01T00:00:00Z' must be within EarliestRestorableDateTime '/,
    )
    await bench.service.updateContinuousBackups({
      TableName: SourceTableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    })
  },

  'not where that is not enabled, and not to two times': async bench => {
    const SourceTableName = await bench.ownTable(SINGLE)
    const request = { SourceTableName, TargetTableName: bench.ownName(), UseLatestRestorableTime: true }
    await bench.eventually(() =>
      refused(
        bench.service.restoreTableToPointInTime(request),
        'PointInTimeRecoveryUnavailableException',
        `Point in time recovery is not enabled for table '${SourceTableName}'`,
      ),
    )
    await invalid(
      bench.service.restoreTableToPointInTime({ ...request, RestoreDateTime: new Date() }),
      /^Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set/,
    )
    await invalid(
      bench.service.restoreTableToPointInTime({ ...request, UseLatestRestorableTime: false }),
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    )
  },

  'a table that is not there is named in the refusal': async bench => {
    const SourceTableName = bench.ownName()
    const request = { SourceTableName, TargetTableName: bench.ownName(), UseLatestRestorableTime: true }
    const call = bench.service.restoreTableToPointInTime(request)
    await refused(call, 'TableNotFoundException', `Table not found: ${SourceTableName}`)
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

import { ACCOUNT_CAPACITY_UNITS, RECOVERY_DAYS, TABLE_CAPACITY_UNITS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const limitCases = cases('describeLimits', {
  'an account has at least what every account has': covering(
    ['limit:ACCOUNT_CAPACITY_UNITS', 'limit:TABLE_CAPACITY_UNITS'],
    async bench => {
      const limits = await bench.service.describeLimits({})
      same(limits.AccountMaxReadCapacityUnits! >= ACCOUNT_CAPACITY_UNITS, true)
      same(limits.AccountMaxWriteCapacityUnits! >= ACCOUNT_CAPACITY_UNITS, true)
      same(limits.TableMaxReadCapacityUnits! >= TABLE_CAPACITY_UNITS, true)
      same(limits.TableMaxWriteCapacityUnits! >= TABLE_CAPACITY_UNITS, true)
    },
  ),
})

const endpointCases = cases('describeEndpoints', {
  'there is an endpoint, and for how long it is one': async bench => {
    const { Endpoints } = await bench.service.describeEndpoints({})
    same(Endpoints!.length > 0, true)
    same([Endpoints![0]!.Address !== '', Endpoints![0]!.CachePeriodInMinutes! > 0], [true, true])
  },
})

const noTable = (name: string) => [`TableNotFoundException`, `Table not found: ${name}`] as const

const describeBackupCases = cases('describeContinuousBackups', {
  'a new table cannot be restored to a point in time': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { ContinuousBackupsDescription } = await bench.service.describeContinuousBackups({ TableName })
    same(ContinuousBackupsDescription!.PointInTimeRecoveryDescription!.PointInTimeRecoveryStatus, 'DISABLED')
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(bench.service.describeContinuousBackups({ TableName }), ...noTable(TableName))
  },
})

const updateBackupCases = cases('updateContinuousBackups', {
  'a table can be restored to any point of the last 35 days, or fewer': covering(
    ['limit:RECOVERY_DAYS'],
    async bench => {
      const TableName = await bench.ownTable(SINGLE)
      for (const days of [undefined, 7]) {
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: days }
        // Backups are enabled some seconds after the table is made.
        const { ContinuousBackupsDescription } = await bench.eventually(() =>
          bench.service.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification }),
        )
        const described = ContinuousBackupsDescription!.PointInTimeRecoveryDescription!
        same([described.PointInTimeRecoveryStatus, described.RecoveryPeriodInDays], ['ENABLED', days ?? RECOVERY_DAYS])
      }
    },
  ),

  'it can be disabled again, without a number of days': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const update = (PointInTimeRecoveryEnabled: boolean, RecoveryPeriodInDays?: number) =>
      bench.service.updateContinuousBackups({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled, RecoveryPeriodInDays },
      })
    await bench.eventually(() => update(true))
    await invalid(
      update(false, 7),
      'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.',
    )
    const { ContinuousBackupsDescription } = await update(false)
    same(ContinuousBackupsDescription!.PointInTimeRecoveryDescription, { PointInTimeRecoveryStatus: 'DISABLED' })
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(
      bench.service.updateContinuousBackups({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
      ...noTable(TableName),
    )
  },
})

export const accountCases = [...limitCases, ...endpointCases, ...describeBackupCases, ...updateBackupCases]

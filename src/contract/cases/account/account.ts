import { ACCOUNT_CAPACITY_UNITS, RECOVERY_DAYS, TABLE_CAPACITY_UNITS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'

const limitCases = defineCases('describeLimits', {
  'an account has at least the default limits': withCoverage(
    ['limit:ACCOUNT_CAPACITY_UNITS', 'limit:TABLE_CAPACITY_UNITS'],
    async bench => {
      const limits = await bench.service.describeLimits({})
      expectEqual(limits.AccountMaxReadCapacityUnits! >= ACCOUNT_CAPACITY_UNITS, true)
      expectEqual(limits.AccountMaxWriteCapacityUnits! >= ACCOUNT_CAPACITY_UNITS, true)
      expectEqual(limits.TableMaxReadCapacityUnits! >= TABLE_CAPACITY_UNITS, true)
      expectEqual(limits.TableMaxWriteCapacityUnits! >= TABLE_CAPACITY_UNITS, true)
    },
  ),
})

const endpointCases = defineCases('describeEndpoints', {
  'the response has an endpoint and the minutes to cache it': async bench => {
    const { Endpoints } = await bench.service.describeEndpoints({})
    expectEqual(Endpoints!.length > 0, true)
    expectEqual([Endpoints![0]!.Address !== '', Endpoints![0]!.CachePeriodInMinutes! > 0], [true, true])
  },
})

const tableNotFound = (name: string) => [`TableNotFoundException`, `Table not found: ${name}`] as const

const describeBackupCases = defineCases('describeContinuousBackups', {
  'a new table cannot be restored to a point in time': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { ContinuousBackupsDescription } = await bench.service.describeContinuousBackups({ TableName })
    expectEqual(ContinuousBackupsDescription!.PointInTimeRecoveryDescription!.PointInTimeRecoveryStatus, 'DISABLED')
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(bench.service.describeContinuousBackups({ TableName }), ...tableNotFound(TableName))
  },
})

const updateBackupCases = defineCases('updateContinuousBackups', {
  'a table can be restored to any point of the last 35 days, or fewer': withCoverage(
    ['limit:RECOVERY_DAYS'],
    async bench => {
      const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
      for (const days of [undefined, 7]) {
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: days }
        // Backups are enabled some seconds after the creation of the table.
        const { ContinuousBackupsDescription } = await bench.eventually(() =>
          bench.service.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification }),
        )
        const described = ContinuousBackupsDescription!.PointInTimeRecoveryDescription!
        expectEqual(
          [described.PointInTimeRecoveryStatus, described.RecoveryPeriodInDays],
          ['ENABLED', days ?? RECOVERY_DAYS],
        )
      }
    },
  ),

  'point-in-time recovery can be disabled, without a number of days': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const update = (PointInTimeRecoveryEnabled: boolean, RecoveryPeriodInDays?: number) =>
      bench.service.updateContinuousBackups({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled, RecoveryPeriodInDays },
      })
    await bench.eventually(() => update(true))
    await expectValidationError(
      update(false, 7),
      'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.',
    )
    const { ContinuousBackupsDescription } = await update(false)
    expectEqual(ContinuousBackupsDescription!.PointInTimeRecoveryDescription, { PointInTimeRecoveryStatus: 'DISABLED' })
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.service.updateContinuousBackups({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
      ...tableNotFound(TableName),
    )
  },
})

export const accountCases = [...limitCases, ...endpointCases, ...describeBackupCases, ...updateBackupCases]

import { RECOVERY_DAYS } from '../limits.js'
import { max, min } from './constraints.js'
import { managedTableName } from './members.js'
import { boolean, integer, required, structure } from './shapes.js'

export const describeContinuousBackups = structure('DescribeContinuousBackupsInput', { TableName: managedTableName })

export const updateContinuousBackups = structure('UpdateContinuousBackupsInput', {
  TableName: managedTableName,
  PointInTimeRecoverySpecification: required(
    structure('PointInTimeRecoverySpecification', {
      PointInTimeRecoveryEnabled: required(boolean),
      RecoveryPeriodInDays: integer(min(1), max(RECOVERY_DAYS)),
    }),
  ),
})

import { RECOVERY_DAYS } from '../limits.js'
import { max, min } from './constraints.js'
import { managedTableName } from './members.js'
import { booleanShape, integerShape, requiredShape, structureShape } from './shapes.js'

export const describeContinuousBackups = structureShape('DescribeContinuousBackupsInput', {
  TableName: managedTableName,
})

export const updateContinuousBackups = structureShape('UpdateContinuousBackupsInput', {
  TableName: managedTableName,
  PointInTimeRecoverySpecification: requiredShape(
    structureShape('PointInTimeRecoverySpecification', {
      PointInTimeRecoveryEnabled: requiredShape(booleanShape),
      RecoveryPeriodInDays: integerShape(min(1), max(RECOVERY_DAYS)),
    }),
  ),
})

export interface PointInTimeRecoverySpecification {
  PointInTimeRecoveryEnabled: boolean
  RecoveryPeriodInDays?: number | undefined
}

export interface PointInTimeRecoveryDescription {
  PointInTimeRecoveryStatus?: 'ENABLED' | 'DISABLED' | undefined
  RecoveryPeriodInDays?: number | undefined
  EarliestRestorableDateTime?: Date | undefined
  LatestRestorableDateTime?: Date | undefined
}

export interface ContinuousBackupsDescription {
  ContinuousBackupsStatus: 'ENABLED' | 'DISABLED' | undefined
  PointInTimeRecoveryDescription?: PointInTimeRecoveryDescription | undefined
}

export interface DescribeContinuousBackupsInput {
  TableName: string
}

export interface DescribeContinuousBackupsOutput {
  ContinuousBackupsDescription?: ContinuousBackupsDescription | undefined
}

export interface UpdateContinuousBackupsInput {
  TableName: string
  PointInTimeRecoverySpecification: PointInTimeRecoverySpecification
}

export interface UpdateContinuousBackupsOutput {
  ContinuousBackupsDescription?: ContinuousBackupsDescription | undefined
}

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

export interface DescribeContinuousBackupsRequest {
  TableName: string
}

export interface DescribeContinuousBackupsAnswer {
  ContinuousBackupsDescription?: ContinuousBackupsDescription | undefined
}

export interface UpdateContinuousBackupsRequest {
  TableName: string
  PointInTimeRecoverySpecification: PointInTimeRecoverySpecification
}

export interface UpdateContinuousBackupsAnswer {
  ContinuousBackupsDescription?: ContinuousBackupsDescription | undefined
}

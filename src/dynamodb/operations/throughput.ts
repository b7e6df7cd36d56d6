export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST'

export interface ProvisionedThroughput {
  ReadCapacityUnits: number
  WriteCapacityUnits: number
}

export interface ProvisionedThroughputDescription {
  LastIncreaseDateTime?: Date | undefined
  LastDecreaseDateTime?: Date | undefined
  NumberOfDecreasesToday?: number | undefined
  ReadCapacityUnits?: number | undefined
  WriteCapacityUnits?: number | undefined
}

export interface ProvisionedThroughputOverride {
  ReadCapacityUnits?: number | undefined
}

export interface OnDemandThroughput {
  MaxReadRequestUnits?: number | undefined
  MaxWriteRequestUnits?: number | undefined
}

export interface OnDemandThroughputOverride {
  MaxReadRequestUnits?: number | undefined
}

export interface WarmThroughput {
  ReadUnitsPerSecond?: number | undefined
  WriteUnitsPerSecond?: number | undefined
}

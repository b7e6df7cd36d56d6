import { GLOBAL_INDEXES } from '../../../dynamodb/limits.js'
import type { BillingMode, GlobalSecondaryIndex } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { checkIndexNames, checkIndexProjection } from './indexes.validation.js'
import { checkGlobalKeySchema } from './key-schema.validation.js'
import { checkCapacityUnits, checkOnDemandThroughput, checkWarmThroughput } from './throughput.validation.js'

export function checkGlobalIndexes(
  indexes: readonly GlobalSecondaryIndex[],
  billing: BillingMode,
  names: Set<string>,
): void {
  for (const index of indexes) {
    checkGlobalKeySchema(index.KeySchema)
    checkIndexProjection(index.Projection)
  }
  checkIndexNames(indexes, names)
  if (indexes.length > GLOBAL_INDEXES) {
    throw invalidParameterError(`GlobalSecondaryIndex count exceeds the per-table limit of ${GLOBAL_INDEXES}`)
  }
  for (const index of indexes) checkIndexThroughput(index, billing)
}

function checkIndexThroughput(index: GlobalSecondaryIndex, billing: BillingMode): void {
  const { IndexName, ProvisionedThroughput } = index
  if (billing === 'PROVISIONED') {
    if (!ProvisionedThroughput)
      throw invalidParameterError(`ProvisionedThroughput is not specified for index: ${IndexName}`)
    checkCapacityUnits(ProvisionedThroughput, ` for index ${IndexName}`)
  } else if (ProvisionedThroughput) {
    throw invalidParameterError(
      `ProvisionedThroughput should not be specified for index: ${IndexName} when BillingMode is PAY_PER_REQUEST`,
    )
  }
  checkOnDemandThroughput(index.OnDemandThroughput, billing, IndexName)
  checkWarmThroughput(index.WarmThroughput, ProvisionedThroughput, `index ${IndexName}`)
}

import type { RestoreOverrides } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { validationError } from '../errors.js'

/** A KMS key of one region cannot encrypt a table in another region. */
export function checkRestoreRegion(engine: Engine, region: string, overrides: RestoreOverrides): void {
  if (region !== engine.region && !overrides.SSESpecificationOverride)
    throw validationError('Invalid Request: sseSpecificationOverride must be provided for cross-region restores')
}

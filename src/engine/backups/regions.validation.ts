import type { RestoreOverrides } from '../../dynamodb/operations/backups.js'
import type { Engine } from '../engine.js'
import { validationError } from '../errors.js'

/** A key of one region encrypts nothing in another. */
export function checkRestoreRegion(engine: Engine, region: string, overrides: RestoreOverrides): void {
  if (region !== engine.region && !overrides.SSESpecificationOverride)
    throw validationError('Invalid Request: sseSpecificationOverride must be provided for cross-region restores')
}

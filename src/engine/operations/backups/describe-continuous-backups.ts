import type {
  DescribeContinuousBackupsInput,
  DescribeContinuousBackupsOutput,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findTableForBackup, toContinuousBackupsDescription } from '../../tables/continuous-backups.js'

export function describeContinuousBackups(
  engine: Engine,
  request: DescribeContinuousBackupsInput,
): DescribeContinuousBackupsOutput {
  return {
    ContinuousBackupsDescription: toContinuousBackupsDescription(engine, findTableForBackup(engine, request.TableName)),
  }
}

import type {
  DescribeContinuousBackupsAnswer,
  DescribeContinuousBackupsRequest,
} from '../../dynamodb/operations/continuous-backups.js'
import type { Engine } from '../engine.js'
import { describeBackups, findBackedUp } from '../tables/continuous-backups.js'

export function describeContinuousBackups(
  engine: Engine,
  request: DescribeContinuousBackupsRequest,
): DescribeContinuousBackupsAnswer {
  return { ContinuousBackupsDescription: describeBackups(engine, findBackedUp(engine, request.TableName)) }
}

import { NAME_CHARACTERS_MAX, RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { TableDesign } from '../../layout/design.js'
import { GraphError } from '../../schema/error.js'
import { findings } from '../../table/findings/findings.js'
import type { DeployOptions } from './deployment.js'

/** Rejects settings that the service would reject only after the table was changed. */
export function assertDeployOptions({ recoveryDays = RECOVERY_DAYS }: DeployOptions): void {
  if (Number.isInteger(recoveryDays) && recoveryDays >= 0 && recoveryDays <= RECOVERY_DAYS) return
  throw new GraphError('call.given', `recoveryDays is a whole number from 0 to ${RECOVERY_DAYS}`)
}

/** Checks a table design. The number of indexes is not checked, because its quota can be raised. */
export function assertDesignAllowed(design: TableDesign, table: string): void {
  const refusals = findings(design).filter(finding => finding.refused && finding.code !== 'table.indexes.global')
  if (refusals.length === 0) return
  const message = refusals.map(finding => finding.message).join(' ')
  throw new GraphError('table.mismatch', `the table '${table}' cannot become as designed: ${message}`)
}

/** Checks the name of the checkpoint table, which may be the end of an ARN. */
export function assertConsumersName(name: string): void {
  if (name.replace(/^arn:.*\//, '').length <= NAME_CHARACTERS_MAX) return
  throw new GraphError(
    'name.invalid',
    `the small table of those who follow the stream would have a name of more than ${NAME_CHARACTERS_MAX} characters: give the table a shorter one, or leave out the small one (--no-consumers, or 'consumers: false')`,
    { name },
  )
}

import type { TableDesign } from '../../layout/design.js'
import { GraphError } from '../../schema/error.js'
import { findings } from '../../table/findings.js'
import { RECOVERY_DAYS_MAX } from '../../table/production-given.js'
import type { DeployOptions } from './look.js'

const TABLE_NAME_CHARACTERS = 255

/** What the service would refuse when the table has been changed already. */
export function refuseOptions({ recoveryDays = RECOVERY_DAYS_MAX }: DeployOptions): void {
  if (Number.isInteger(recoveryDays) && recoveryDays >= 0 && recoveryDays <= RECOVERY_DAYS_MAX) return
  throw new GraphError('call.given', `recoveryDays is a whole number from 0 to ${RECOVERY_DAYS_MAX}`)
}

/** The number of indexes is left to the service, whose quota can be raised. */
export function refuseDesign(design: TableDesign, table: string): void {
  const refused = findings(design).filter(finding => finding.refused && finding.code !== 'table.indexes.global')
  if (refused.length === 0) return
  const says = refused.map(finding => finding.says).join(' ')
  throw new GraphError('table.mismatch', `the table '${table}' cannot become as designed: ${says}`)
}

/** The name of the small table, or the ARN that ends with it. */
export function refuseConsumers(name: string): void {
  if (name.replace(/^arn:.*\//, '').length <= TABLE_NAME_CHARACTERS) return
  throw new GraphError(
    'name.invalid',
    `the small table of those who follow the stream would have a name of more than ${TABLE_NAME_CHARACTERS} characters: give the table a shorter one, or leave out the small one (--no-consumers, or 'consumers: false')`,
    { name },
  )
}

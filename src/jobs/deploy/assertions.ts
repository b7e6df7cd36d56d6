import { NAME_CHARACTERS_MAX, RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { TableDesign } from '../../layout/design.js'
import { formatValue } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import { findings } from '../../table/findings/findings.js'
import type { DeployOptions } from './deployment.js'

/** Rejects settings that the service would reject only after the table was changed. */
export function assertDeployOptions({ recoveryDays = RECOVERY_DAYS }: DeployOptions): void {
  if (Number.isInteger(recoveryDays) && recoveryDays >= 0 && recoveryDays <= RECOVERY_DAYS) return
  throw new GraphError(
    'call.argument',
    `recoveryDays: ${formatValue(recoveryDays)} is out of range; give a whole number from 0 to ${RECOVERY_DAYS}.`,
  )
}

/** Checks a table design. The number of indexes is not checked, because its quota can be raised. */
export function assertDesignAllowed(design: TableDesign, table: string): void {
  const refusals = findings(design).filter(finding => finding.rejected && finding.code !== 'table.indexes.global')
  if (refusals.length === 0) return
  const message = refusals.map(finding => finding.message).join(' ')
  throw new GraphError(
    'table.mismatch',
    `table '${table}': DynamoDB does not allow its new design (${message}); change the layout.`,
  )
}

/** Checks the name of the checkpoint table, which may be the end of an ARN. */
export function assertConsumersName(name: string): void {
  if (name.replace(/^arn:.*\//, '').length <= NAME_CHARACTERS_MAX) return
  throw new GraphError(
    'name.invalid',
    `checkpoint table: its name would exceed ${NAME_CHARACTERS_MAX} characters; use a shorter table name, or omit the checkpoint table (--no-consumers, or 'consumers: false').`,
    { name },
  )
}

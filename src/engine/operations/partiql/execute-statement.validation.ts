import { validationError } from '../../errors.js'
import type { PreparedStatement } from '../../partiql/prepare-statement.js'

/** Throws for an EXISTS statement, which only transactions support. */
export function checkNoExistsStatement(prepared: PreparedStatement): void {
  if (prepared.kind === 'write' && prepared.write.type === 'exists')
    throw validationError('EXISTS can only be used in ExecuteTransaction write requests.')
}

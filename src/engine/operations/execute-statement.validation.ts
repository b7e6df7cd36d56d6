import { validation } from '../errors.js'
import type { Prepared } from '../partiql/prepare.js'

/** A condition by itself is for transactions. */
export function refuseExists(prepared: Prepared): void {
  if (prepared.kind === 'write' && prepared.write.type === 'exists')
    throw validation('EXISTS can only be used in ExecuteTransaction write requests.')
}

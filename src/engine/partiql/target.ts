import { validation } from '../errors.js'
import type { Target } from './syntax.js'

/** What is wrong with the name of what a statement reads or writes, before it is looked up. */
export function checkTarget({ names, aliased }: Target): void {
  if (aliased) throw validation('Aliasing is not supported')
  if (names.includes('')) throw validation('Path component cannot be an empty string')
  if (names.length > 2) throw validation('A path may contain at most 2 components in the FROM clause')
}

/** An item is written to a table, never to an index. */
export function checkWrittenTarget(target: Target): void {
  checkTarget(target)
  if (target.names.length > 1) throw validation('This operation is not supported on an index')
}

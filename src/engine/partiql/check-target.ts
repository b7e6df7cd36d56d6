import { validationError } from '../errors.js'
import type { PartiqlTarget } from './parsing/syntax.js'

/** What is wrong with the name of what a statement reads or writes, before it is looked up. */
export function checkStatementTarget({ names, aliased }: PartiqlTarget): void {
  if (aliased) throw validationError('Aliasing is not supported')
  if (names.includes('')) throw validationError('Path component cannot be an empty string')
  if (names.length > 2) throw validationError('A path may contain at most 2 components in the FROM clause')
}

/** An item is written to a table, never to an index. */
export function checkWrittenTarget(target: PartiqlTarget): void {
  checkStatementTarget(target)
  if (target.names.length > 1) throw validationError('This operation is not supported on an index')
}

import { validationError } from '../errors.js'
import type { PartiqlTarget } from './parsing/syntax.js'

/** Checks the name of the table or index of a statement before it is looked up. */
export function checkStatementTarget({ names, aliased }: PartiqlTarget): void {
  if (aliased) throw validationError('Aliasing is not supported')
  if (names.includes('')) throw validationError('Path component cannot be an empty string')
  if (names.length > 2) throw validationError('A path may contain at most 2 components in the FROM clause')
}

/** Checks the name of the table that a statement writes. An index cannot be written. */
export function checkWrittenTarget(target: PartiqlTarget): void {
  checkStatementTarget(target)
  if (target.names.length > 1) throw validationError('This operation is not supported on an index')
}

import { validationError } from '../errors.js'
import type { DocumentPath, PathElement } from '../expressions/parsing/syntax.js'
import type { PartiqlPath, PartiqlPathStep } from './parsing/syntax.js'
import { unsupportedStatementError } from './statement-errors.js'

const LIST_INDEX_MAX = 2 ** 31 - 1

/** Converts a path of a statement into a document path of expressions. */
export function toDocumentPath({ root, steps }: PartiqlPath): DocumentPath {
  if (root === '') throw emptyComponentError()
  return [root, ...steps.map(toPathElement)]
}

const emptyComponentError = () => validationError('Path component cannot be an empty string')

const EVERY = { member: 'Unpivot path component like a.*.b', element: 'Wildcard path component like a[*].b' }

function toPathElement(step: PartiqlPathStep): PathElement {
  if ('name' in step) return checkNotEmpty(step.name)
  if ('every' in step) throw unsupportedStatementError(`${EVERY[step.every]} are not supported`, step.at)
  const { index, at } = step
  if (index.kind === 'string') return checkNotEmpty(index.text)
  if (index.kind !== 'number' || !/^-?\d+$/.test(index.text))
    throw unsupportedStatementError('Unexpected path component', at)
  const position = Number(index.text)
  if (position < 0 || position > LIST_INDEX_MAX)
    throw unsupportedStatementError(`List index is not within the allowable range; index: [${index.text}]`, index.at)
  return position
}

function checkNotEmpty(name: string): string {
  if (name === '') throw emptyComponentError()
  return name
}

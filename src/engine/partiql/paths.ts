import { validation } from '../errors.js'
import type { Path, PathElement } from '../expressions/syntax.js'
import { refused } from './faults.js'
import type { PathExpression, Step } from './syntax.js'

const LIST_INDEX_MAX = 2 ** 31 - 1

/** A document path, as expressions have it. */
export function documentPath({ root, steps }: PathExpression): Path {
  if (root === '') throw emptyComponent()
  return [root, ...steps.map(stepOf)]
}

const emptyComponent = () => validation('Path component cannot be an empty string')

const EVERY = { member: 'Unpivot path component like a.*.b', element: 'Wildcard path component like a[*].b' }

function stepOf(step: Step): PathElement {
  if ('name' in step) return named(step.name)
  if ('every' in step) throw refused(`${EVERY[step.every]} are not supported`, step.at)
  const { index, at } = step
  if (index.kind === 'string') return named(index.text)
  if (index.kind !== 'number' || !/^-?\d+$/.test(index.text)) throw refused('Unexpected path component', at)
  const position = Number(index.text)
  if (position < 0 || position > LIST_INDEX_MAX)
    throw refused(`List index is not within the allowable range; index: [${index.text}]`, index.at)
  return position
}

function named(name: string): string {
  if (name === '') throw emptyComponent()
  return name
}

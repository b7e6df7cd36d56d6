import type { Item } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'
import type { DocumentPath } from '../expressions/parsing/syntax.js'
import { buildPathTree } from '../expressions/path-tree.js'
import { nestedNamesOf, topLevelNamesOf, valueAtPath } from '../expressions/paths.js'
import type { ProjectionExpression } from '../expressions/projection.js'
import { setMember } from '../values/attribute-maps.js'
import { toDocumentPath } from './document-path.js'
import type { ProjectionTerm } from './parsing/syntax.js'
import { unsupportedStatementError } from './statement-errors.js'

/** Converts the terms of a SELECT into a projection. A value is returned under the last name of its path. */
export function toProjectionExpression(terms: readonly ProjectionTerm[]): ProjectionExpression {
  const paths = terms.map(toProjectedPath)
  const names = paths.map(outputNameOf)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw validationError(`Duplicate identifiers in select clause: ${twice}`)
  // Unlike the paths of an expression, these are checked from the first to the last.
  buildPathTree('Statement', paths.length, i => paths.at(-1 - i)!)
  return {
    names: [...topLevelNamesOf(paths)],
    nestedNames: nestedNamesOf(paths),
    project(item) {
      const projected: Item = {}
      paths.forEach((path, i) => {
        const value = valueAtPath(item, path)
        if (value !== undefined) setMember(projected, names[i]!, value)
      })
      return projected
    },
  }
}

function toProjectedPath({ term, aliased }: ProjectionTerm): DocumentPath {
  if (aliased) throw validationError('Aliasing is not supported')
  if (term.kind !== 'path') throw unsupportedStatementError('Unexpected path component', term.at)
  const last = term.steps.at(-1)
  if (last && 'every' in last) throw validationError("Changing item's hierarchy while reading isn't supported")
  return toDocumentPath(term)
}

function outputNameOf(path: DocumentPath): string {
  const last = path.findLastIndex(element => typeof element === 'string')
  const indexes = path.slice(last + 1).map(index => `[${index}]`)
  return [path[last], ...indexes].join('')
}

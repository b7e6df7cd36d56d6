import type { Item } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import { buildPathTree } from '../expressions/path-tree.js'
import { nestedNames, topNames, valueAt } from '../expressions/paths.js'
import type { Projection } from '../expressions/projection.js'
import type { Path } from '../expressions/syntax.js'
import { setMember } from '../values/maps.js'
import { refused } from './faults.js'
import { documentPath } from './paths.js'
import type { ProjectionTerm } from './syntax.js'

/** What a SELECT asks for of an item. What is found stands under the last name of its path, whatever it was within. */
export function readProjection(terms: readonly ProjectionTerm[]): Projection {
  const paths = terms.map(pathOf)
  const names = paths.map(nameOf)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw validation(`Duplicate identifiers in select clause: ${twice}`)
  // Unlike an expression's, these are looked at from the first to the last.
  buildPathTree('Statement', paths.length, i => paths.at(-1 - i)!)
  return {
    names: [...topNames(paths)],
    nestedNames: nestedNames(paths),
    project(item) {
      const projected: Item = {}
      paths.forEach((path, i) => {
        const value = valueAt(item, path)
        if (value !== undefined) setMember(projected, names[i]!, value)
      })
      return projected
    },
  }
}

function pathOf({ term, aliased }: ProjectionTerm): Path {
  if (aliased) throw validation('Aliasing is not supported')
  if (term.kind !== 'path') throw refused('Unexpected path component', term.at)
  const last = term.steps.at(-1)
  if (last && 'every' in last) throw validation("Changing item's hierarchy while reading isn't supported")
  return documentPath(term)
}

function nameOf(path: Path): string {
  const last = path.findLastIndex(element => typeof element === 'string')
  const indexes = path.slice(last + 1).map(index => `[${index}]`)
  return [path[last], ...indexes].join('')
}

import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { attribute } from '../values/compare.js'
import type { Path } from './syntax.js'

/** What stands at a path in an item. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value = attribute(item, path[0] as string)
  for (let i = 1; value !== undefined && i < path.length; i++) {
    const element = path[i]!
    if (typeof element === 'number') value = value.L?.[element]
    else value = value.M === undefined ? undefined : attribute(value.M, element)
  }
  return value
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i])
}

/** A path as the service shows it: `[a, b, [0]]`. */
export function formatPath(path: Path): string {
  return `[${path.map(element => (typeof element === 'number' ? `[${element}]` : element)).join(', ')}]`
}

export function topNames(paths: readonly Path[]): ReadonlySet<string> {
  return new Set(paths.map(path => path[0] as string))
}

/** The attributes that some path reaches into. */
export function nestedNames(paths: readonly Path[]): ReadonlySet<string> {
  return topNames(paths.filter(path => path.length > 1))
}

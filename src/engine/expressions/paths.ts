import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { attributeOf } from '../values/compare-values.js'
import type { DocumentPath } from './parsing/syntax.js'

/** Returns the value at a path of an item. */
export function valueAtPath(item: Item, path: DocumentPath): AttributeValue | undefined {
  let value = attributeOf(item, path[0] as string)
  for (let i = 1; value !== undefined && i < path.length; i++) {
    const element = path[i]!
    if (typeof element === 'number') value = value.L?.[element]
    else value = value.M === undefined ? undefined : attributeOf(value.M, element)
  }
  return value
}

export function isSamePath(a: DocumentPath, b: DocumentPath): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i])
}

/** Formats a path as the service does: `[a, b, [0]]`. */
export function formatPath(path: DocumentPath): string {
  return `[${path.map(element => (typeof element === 'number' ? `[${element}]` : element)).join(', ')}]`
}

export function topLevelNamesOf(paths: readonly DocumentPath[]): ReadonlySet<string> {
  return new Set(paths.map(path => path[0] as string))
}

/** Returns the attributes that have a nested path. */
export function nestedNamesOf(paths: readonly DocumentPath[]): ReadonlySet<string> {
  return topLevelNamesOf(paths.filter(path => path.length > 1))
}

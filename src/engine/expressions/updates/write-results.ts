import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { NESTING_LEVELS } from '../../../dynamodb/limits.js'
import { validationError } from '../../errors.js'
import { copyMapWith } from '../../values/attribute-maps.js'
import { attributeOf } from '../../values/compare-values.js'
import type { PathTree } from '../path-tree.js'

/** The new value at the end of the path with that position; undefined removes the current value. */
type Results = readonly (AttributeValue | undefined)[]

/** Returns a copy of an item with the results applied. Only containers on the written paths are copied. */
export function writeUpdateResults(item: Item, targets: PathTree, results: Results): Item {
  return writeMembers(item, targets, results, 1)
}

function writeMembers(map: Item, tree: PathTree, results: Results, level: number): Item {
  const changes = new Map<string, AttributeValue | undefined>()
  for (const [name, child] of tree.children) {
    if (typeof name === 'number') throw invalidPathError()
    const value =
      child.position === -1
        ? writeInto(attributeOf(map, name), child, results, level + 1)
        : checkLevels(results[child.position], level)
    changes.set(name, value)
  }
  return copyMapWith(map, changes)
}

/** An update never creates the map or list that a nested path goes through. */
function writeInto(value: AttributeValue | undefined, tree: PathTree, results: Results, level: number): AttributeValue {
  if (value?.M !== undefined)
    return Object.freeze({ M: Object.freeze(writeMembers(value.M, tree, results, level)) as Item })
  if (value?.L === undefined) throw invalidPathError()
  return Object.freeze({ L: Object.freeze(writeElements(value.L, tree, results, level)) as AttributeValue[] })
}

/** Indexes refer to the list before the update, so removals are applied last. An index past the end appends. */
function writeElements(list: AttributeValue[], tree: PathTree, results: Results, level: number): AttributeValue[] {
  const copy = [...list]
  const removedIndexes = new Set<number>()
  for (const [index, child] of tree.children) {
    if (typeof index !== 'number') throw invalidPathError()
    const value =
      child.position === -1
        ? writeInto(list[index], child, results, level + 1)
        : checkLevels(results[child.position], level)
    if (value === undefined) removedIndexes.add(index)
    else if (index < list.length) copy[index] = value
    else copy.push(value)
  }
  return removedIndexes.size === 0 ? copy : copy.filter((_, i) => i >= list.length || !removedIndexes.has(i))
}

const invalidPathError = () =>
  validationError('The document path provided in the update expression is invalid for update')

/** A value that is valid on its own can be too deep inside another value. */
function checkLevels(value: AttributeValue | undefined, level: number): AttributeValue | undefined {
  if (value !== undefined && level + countContainerLevels(value) > NESTING_LEVELS)
    throw validationError('Nesting Levels have exceeded supported limits')
  return value
}

function countContainerLevels(value: AttributeValue): number {
  if (value.M === undefined && value.L === undefined) return 0
  let deepest = 0
  for (const part of value.L ?? Object.values(value.M!)) deepest = Math.max(deepest, countContainerLevels(part))
  return deepest + 1
}

import type { Item } from '../../dynamodb/attribute-value.js'
import type { KeySchemaElement, TableDescription } from '../../dynamodb/operation-types.js'
import type { TableDesign } from '../../layout/design.js'
import type { LayoutShape } from '../../layout/fingerprint.js'
import { isObject } from '../../schema/checks/assertions.js'

const keysOf = (schema: readonly KeySchemaElement[] = []) => schema.map(({ AttributeName }) => AttributeName).join()

/** Describes why a table does not fit a design. */
export function findTableFaults({ keys, indexes }: TableDesign, table: TableDescription): string[] {
  const faults: string[] = []
  const expectedKey = Object.values(keys).join()
  if (keysOf(table.KeySchema) !== expectedKey) faults.push(`its key is ${keysOf(table.KeySchema)}, not ${expectedKey}`)
  const actualIndexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  for (const { name, partition, sort, project } of indexes) {
    const found = actualIndexes.find(({ IndexName }) => IndexName === name)
    const expected = [...partition, ...sort].join()
    if (!found) faults.push(`it has no index ${name} on ${expected}`)
    else if (keysOf(found.KeySchema) !== expected)
      faults.push(`its index ${name} is on ${keysOf(found.KeySchema)}, not ${expected}`)
    // Rows read from a narrower projection would silently lack attributes.
    else if (project === 'all' && (found.Projection?.ProjectionType ?? 'ALL') !== 'ALL')
      faults.push(`its index ${name} lacks attributes that the layout does not exclude by 'project'`)
  }
  return faults
}

/**
 * The layout shape under which a table was written: the shape of its fingerprint, extended by types and shards added
 * since, as far as this layout knows them.
 */
export function storedShapeOf(
  { shape, since }: Item,
  current: LayoutShape,
): Partial<LayoutShape> & Pick<LayoutShape, 'kinds'> {
  const stored = JSON.parse(shape?.S ?? '{}') as Partial<LayoutShape>
  const kinds = Object.entries(JSON.parse(since?.S ?? '{}')).filter(([kind]) => kind.split('.')[0]! in current.kinds)
  return { ...stored, kinds: { ...stored.kinds, ...Object.fromEntries(kinds) } }
}

/** The differences between two layouts that make items written under one invisible under the other. */
export function findLayoutChanges(before: Pick<LayoutShape, 'kinds'>, after: LayoutShape): string[] {
  const compared = (oldValue: unknown, newValue: unknown, path: readonly string[]): string[] => {
    if (isObject(oldValue) && isObject(newValue))
      return Object.keys({ ...oldValue, ...newValue }).flatMap(name =>
        compared(oldValue[name], newValue[name], [...path, name]),
      )
    const [oldText, newText] = [oldValue, newValue].map(each => JSON.stringify(each) ?? 'nothing')
    if (oldText === newText || isHarmless(oldValue, newValue, path)) return []
    const name = path.join('.')
    return [
      `${name} ${isObject(oldValue) ? 'is gone' : isObject(newValue) ? 'is new' : `was ${oldText}, is ${newText}`}`,
    ]
  }
  // Harmless changes: a new type without items, an optional attribute, and more shards of an index.
  const isHarmless = (oldValue: unknown, newValue: unknown, path: readonly string[]): boolean => {
    const [part, kind, detail, key] = path
    if (part === 'indexes') return oldValue === undefined
    // Side items (facets, mirrors, sentinels) have the name of their type. Added to an existing type, they are
    // missing for its existing rows.
    if (part === 'kinds' && path.length === 2) return oldValue === undefined && !(kind!.split('.')[0]! in before.kinds)
    if (detail === 'attributes') return oldValue === undefined || newValue === undefined
    return detail === 'shards' && Number(newValue) > Number(oldValue) && key !== after.keys.partition
  }
  return compared(before, after, [])
}

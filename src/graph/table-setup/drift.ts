import type { Item } from '../../dynamodb/attribute-value.js'
import type { KeySchemaElement } from '../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { TableDesign } from '../../layout/design.js'
import type { LayoutShape } from '../../layout/fingerprint.js'
import { isObject } from '../../schema/checks/assertions.js'

const keysOf = (schema: readonly KeySchemaElement[] = []) => schema.map(({ AttributeName }) => AttributeName).join()

/** Why a table cannot hold what a design asks for, in words. */
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
    // Rows that are read from it would lack what it does not have, without a word.
    else if (project === 'all' && (found.Projection?.ProjectionType ?? 'ALL') !== 'ALL')
      faults.push(`its index ${name} lacks attributes: say 'project'`)
  }
  return faults
}

/** Under which shape a table was written: as its fingerprint tells, with the types and shards that came since, as far as they are known here. */
export function storedShapeOf(
  { shape, since }: Item,
  current: LayoutShape,
): Partial<LayoutShape> & Pick<LayoutShape, 'kinds'> {
  const stored = JSON.parse(shape?.S ?? '{}') as Partial<LayoutShape>
  const kinds = Object.entries(JSON.parse(since?.S ?? '{}')).filter(([kind]) => kind.split('.')[0]! in current.kinds)
  return { ...stored, kinds: { ...stored.kinds, ...Object.fromEntries(kinds) } }
}

/** Where two shapes of a layout differ so that items of one are not found under the other. */
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
  // A new type has no items yet; attributes that are new are optional to old items; more shards of an index are all read.
  const isHarmless = (oldValue: unknown, newValue: unknown, path: readonly string[]): boolean => {
    const [part, kind, detail, key] = path
    if (part === 'indexes') return oldValue === undefined
    // Facets, mirrors and sentinels are named after their type: of what was there before they are missing.
    if (part === 'kinds' && path.length === 2) return oldValue === undefined && !(kind!.split('.')[0]! in before.kinds)
    if (detail === 'attributes') return oldValue === undefined || newValue === undefined
    return detail === 'shards' && Number(newValue) > Number(oldValue) && key !== after.keys.partition
  }
  return compared(before, after, [])
}

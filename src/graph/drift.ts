import type { Item } from '../dynamodb/attribute-value.js'
import type { KeySchemaElement } from '../dynamodb/operations/indexes.js'
import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { TableDesign } from '../layout/design.js'
import type { Shape } from '../layout/fingerprint.js'
import { isObject } from '../schema/refusal.js'

const keysOf = (schema: readonly KeySchemaElement[] = []) => schema.map(({ AttributeName }) => AttributeName).join()

/** Why a table cannot hold what a design asks for, in words. */
export function tableFaults({ keys, indexes }: TableDesign, table: TableDescription): string[] {
  const faults: string[] = []
  const own = Object.values(keys).join()
  if (keysOf(table.KeySchema) !== own) faults.push(`its key is ${keysOf(table.KeySchema)}, not ${own}`)
  const there = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  for (const { name, partition, sort, project } of indexes) {
    const found = there.find(({ IndexName }) => IndexName === name)
    const wanted = [...partition, ...sort].join()
    if (!found) faults.push(`it has no index ${name} on ${wanted}`)
    else if (keysOf(found.KeySchema) !== wanted)
      faults.push(`its index ${name} is on ${keysOf(found.KeySchema)}, not ${wanted}`)
    // Rows that are read from it would lack what it does not have, without a word.
    else if (project === 'all' && (found.Projection?.ProjectionType ?? 'ALL') !== 'ALL')
      faults.push(`its index ${name} lacks attributes: say 'project'`)
  }
  return faults
}

/** Under which shape a table was written: as its fingerprint tells, with the types and shards that came since, as far as they are known here. */
export function shapeIn({ shape, since }: Item, is: Shape): Partial<Shape> & Pick<Shape, 'kinds'> {
  const was = JSON.parse(shape?.S ?? '{}') as Partial<Shape>
  const kinds = Object.entries(JSON.parse(since?.S ?? '{}')).filter(([kind]) => kind.split('.')[0]! in is.kinds)
  return { ...was, kinds: { ...was.kinds, ...Object.fromEntries(kinds) } }
}

/** Where two shapes of a layout differ so that items of one are not found under the other. */
export function differences(before: Pick<Shape, 'kinds'>, after: Shape): string[] {
  const compared = (was: unknown, is: unknown, path: readonly string[]): string[] => {
    if (isObject(was) && isObject(is))
      return Object.keys({ ...was, ...is }).flatMap(name => compared(was[name], is[name], [...path, name]))
    const [told, now] = [was, is].map(each => JSON.stringify(each) ?? 'nothing')
    if (told === now || isHarmless(was, is, path)) return []
    const name = path.join('.')
    return [`${name} ${isObject(was) ? 'is gone' : isObject(is) ? 'is new' : `was ${told}, is ${now}`}`]
  }
  // A new type has no items yet; attributes that are new are optional to old items; more shards of an index are all read.
  const isHarmless = (was: unknown, is: unknown, path: readonly string[]): boolean => {
    const [part, kind, detail, key] = path
    if (part === 'indexes') return was === undefined
    // Facets, mirrors and sentinels are named after their type: of what was there before they are missing.
    if (part === 'kinds' && path.length === 2) return was === undefined && !(kind!.split('.')[0]! in before.kinds)
    if (detail === 'attributes') return was === undefined || is === undefined
    return detail === 'shards' && Number(is) > Number(was) && key !== after.keys.partition
  }
  return compared(before, after, [])
}

import type { KeySchemaElement } from '../dynamodb/operations/indexes.js'
import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { TableDesign } from '../layout/design.js'
import type { Shape } from '../layout/fingerprint.js'

const keysOf = (schema: readonly KeySchemaElement[] = []) => schema.map(({ AttributeName }) => AttributeName).join()

/** Why a table cannot hold what a design asks for, in words. */
export function tableFaults({ keys, indexes }: TableDesign, table: TableDescription): string[] {
  const faults: string[] = []
  const own = [keys.partition, keys.sort].join()
  if (keysOf(table.KeySchema) !== own) faults.push(`its key is ${keysOf(table.KeySchema)}, not ${own}`)
  const there = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  for (const { name, partition, sort } of indexes) {
    const found = there.find(({ IndexName }) => IndexName === name)
    const wanted = [...partition, ...sort].join()
    if (!found) faults.push(`it has no index ${name} on ${wanted}`)
    else if (keysOf(found.KeySchema) !== wanted)
      faults.push(`its index ${name} is on ${keysOf(found.KeySchema)}, not ${wanted}`)
  }
  return faults
}

/** Where two shapes of a layout differ so that items of one are not found under the other. */
export function differences(was: unknown, is: Shape): string[] {
  return compared(was, is, [], is.keys.partition)
}

function compared(was: unknown, is: unknown, path: readonly string[], partition: string): string[] {
  if (isTree(was) && isTree(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(name =>
      compared(was[name], is[name], [...path, name], partition),
    )
  if (JSON.stringify(was) === JSON.stringify(is) || isHarmless(was, is, path, partition)) return []
  return isTree(was) ? [`${path.join('.')} is gone`] : [`${path.join('.')} was ${told(was)}, is ${told(is)}`]
}

/** What is new has no items yet; attributes that are new are optional to old items; more shards of an index are all read. */
function isHarmless(was: unknown, is: unknown, path: readonly string[], partition: string): boolean {
  const [part, , detail] = path
  if (part === 'indexes' || (part === 'kinds' && path.length === 2)) return was === undefined
  if (detail === 'attributes') return was === undefined || is === undefined
  return detail === 'shards' && Number(is ?? 1) > Number(was ?? 1) && was !== undefined && path[3] !== partition
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const told = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))

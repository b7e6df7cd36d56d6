import { itemOf, keyOf, projected } from './item-operations.js'
import { type Call, capacityAsked, type Ground } from './operation.js'
import { Placeholders } from './placeholders.js'
import type { TableShape } from './tables.js'

type Members = Record<string, unknown>

/** Removes duplicates by key, in most cases. */
function distinct<T extends Members>(made: T[], keyOfEach: (each: T) => unknown, keep: boolean): T[] {
  return keep ? made : [...new Map(made.map(each => [JSON.stringify(keyOfEach(each)), each])).values()]
}

const touched = ({ chance, tables }: Ground): readonly TableShape[] =>
  chance.happens(0.4) ? tables : [chance.pick(tables)]

export function batchGetItem(ground: Ground): Call {
  const { chance } = ground
  const requests = touched(ground).map(table => {
    const to = new Placeholders(chance)
    const Keys = distinct(
      chance.several(1, 5, () => keyOf(chance, table)),
      key => key,
      chance.happens(0.02),
    )
    const options = { ...projected(to, table), ...chance.maybe(0.3, () => ({ ConsistentRead: true })) }
    return [table.name, { Keys, ...options, ...to.members }]
  })
  return {
    operation: 'batchGetItem',
    request: { RequestItems: Object.fromEntries(requests), ...capacityAsked(ground) },
  }
}

export function batchWriteItem(ground: Ground): Call {
  const { chance } = ground
  const requests = touched(ground).map(table => {
    const own = new Set([table.partition.name, ...(table.sort ? [table.sort.name] : [])])
    const writes = chance.several(1, 4, () =>
      chance.happens(0.7)
        ? { PutRequest: { Item: itemOf(chance, table) } }
        : { DeleteRequest: { Key: keyOf(chance, table) } },
    )
    const keyed = (write: Members) => {
      const { PutRequest, DeleteRequest } = write as Record<string, Record<string, Members>>
      const given = PutRequest?.Item ?? DeleteRequest?.Key ?? {}
      return Object.entries(given).filter(([name]) => own.has(name))
    }
    return [table.name, distinct<Members>(writes, keyed, chance.happens(0.02))]
  })
  const metrics = chance.maybe(0.1, () => ({ ReturnItemCollectionMetrics: 'SIZE' }))
  const request = { RequestItems: Object.fromEntries(requests), ...metrics, ...capacityAsked(ground) }
  return { operation: 'batchWriteItem', request }
}

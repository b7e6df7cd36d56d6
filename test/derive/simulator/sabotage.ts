import { edgeKeyOf, edgeReferenceOf } from '../../../src/derive/settle/edge.js'
import { parseItem } from '../../../src/derive/settle/side-items.js'
import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import { TOMBSTONE_TYPE } from '../../../src/layout/items/internal-items.js'
import { stampName } from '../../../src/layout/items/summary-stamps.js'
import type { Layout } from '../../../src/layout/layout.js'
import { keyOfItem } from '../../../src/plan/identity.js'
import { traitsOf } from '../../../src/plan/type-traits.js'
import type { DeclaredEdge } from '../../../src/schema/declarations.js'
import type { Service } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'
import type { Delivery } from './delivery.js'

/** Wraps a store and disables a guard by changing the requests or the responses. */
export type Sabotage = (store: Service, layout: Layout, isWriter: boolean, delivery: Delivery) => Service

/** Returns the writes of a transaction by their verbs. */
type Part = Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Members | undefined>

interface Members {
  Key?: Key
  Item?: Item
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
}

const verbs = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const

/** Changes the transactions that are sent. */
function bendingWrites(store: Service, bend: (parts: Part[]) => Part[]): Service {
  const wrapped = wrap(store, (operation, request, options, send) => {
    const { TransactItems } = request as { TransactItems?: Part[] }
    if (operation !== 'transactWriteItems' || !TransactItems) return send(request, options)
    const bent = bend(TransactItems)
    return bent.length === 0
      ? Promise.resolve({} as never)
      : send({ ...request, TransactItems: bent } as never, options)
  })
  return wrapped as Service
}

/** Changes the items that are read. */
function bendingReads(store: Service, bend: (item: Item) => Item | undefined | Promise<Item | undefined>): Service {
  const all = async (items: readonly Item[]) =>
    (await Promise.all(items.map(bend))).filter((item): item is Item => item !== undefined)
  const wrapped = wrap(store, async (operation, request, options, send) => {
    const answer = (await send(request, options)) as {
      Item?: Item
      Items?: Item[]
      Responses?: Record<string, Item[]>
    }
    if (operation === 'getItem' && answer.Item) return { ...answer, Item: await bend(answer.Item) } as never
    if (operation === 'query' && answer.Items) return { ...answer, Items: await all(answer.Items) } as never
    if (operation !== 'batchGetItem') return answer as never
    const responses = await Promise.all(
      Object.entries(answer.Responses ?? {}).map(async ([table, items]) => [table, await all(items)] as const),
    )
    return { ...answer, Responses: Object.fromEntries(responses) } as never
  })
  return wrapped as Service
}

/** Replaces every clause about an attribute in the conditions by one that always holds. */
function without(attribute: string, only?: RegExp) {
  return (parts: Part[]): Part[] =>
    parts.map(part => {
      const verb = verbs.find(each => part[each])!
      const members = part[verb]!
      const placeholder = Object.entries(members.ExpressionAttributeNames ?? {}).find(
        ([, name]) => name === attribute,
      )?.[0]
      const { ConditionExpression: condition } = members
      if (!condition || placeholder === undefined) return part
      const isAbout = new RegExp(`${placeholder}(?![0-9])`)
      const clauses = condition.startsWith('(') ? condition.slice(1, -1).split(') AND (') : [condition]
      const bent = clauses.map(clause =>
        isAbout.test(clause) && (!only || only.test(clause))
          ? `${clause} OR attribute_exists(${placeholder}) OR attribute_not_exists(${placeholder})`
          : clause,
      )
      return { ...part, [verb]: { ...members, ConditionExpression: `(${bent.join(') AND (')})` } }
    })
}

/** Changes the write-backs of summaries, in transactions and alone. Only they compare moments. */
function bendingSummaries(store: Service, bend: (parts: Part[]) => Part[]): Service {
  const isOfSummary = (part: Part) =>
    / < /.test(part.Update?.ConditionExpression ?? '') &&
    Object.values(part.Update?.ExpressionAttributeNames ?? {}).some(name => name.startsWith(stampName('')))
  const bendSome = (parts: Part[]) => parts.flatMap(part => (isOfSummary(part) ? bend([part]) : [part]))
  const wrapped = wrap(bendingWrites(store, bendSome), (operation, request, options, send) => {
    if (operation !== 'updateItem') return send(request, options)
    const [part] = bendSome([{ Update: request } as Part])
    return send(part!.Update as never, options)
  })
  return wrapped as Service
}

/** The stored names of all summaries and their stamps. */
const summaryNamesOf = (layout: Layout): string[] =>
  layout.kinds.flatMap(({ type }) => traitsOf(layout, type.name).summaryNames)

const CONSTANT = { S: 'always' }

/** The disabled guards of the algorithm. */
export const SABOTAGES: Record<string, Sabotage> = {
  // The write conditions also compare old copies, which hides most effects of this sabotage. The race is rare, so the
  // consumer is also slow between its reads and its write.
  'the check of the source’s values': (store, layout, isWriter) => {
    if (isWriter) return store
    const copies = layout.graph.declared.edges.flatMap(edge =>
      edge.carry.map(({ copyName }) => layout.names.attributeOf(edge, copyName)),
    )
    const isSourceCheck = ({ ConditionCheck }: Part) =>
      ConditionCheck !== undefined && isNodeKey(layout, ConditionCheck.Key!)
    const unchecked = bendingWrites(store, parts =>
      copies.reduce(
        (bent, copy) => without(copy)(bent),
        parts.filter(part => !isSourceCheck(part)),
      ),
    )
    const slowed = wrap(unchecked, async (operation, request, options, send) => {
      const check = (request as { TransactItems?: Part[] }).TransactItems?.find(isSourceCheck)?.ConditionCheck
      if (operation === 'transactWriteItems' && check)
        for (let turn = 0; turn < SLOW_TURNS; turn++)
          await store.getItem({ TableName: layout.design.name, Key: check.Key! })
      return send(request, options)
    })
    return slowed as Service
  },
  'what was counted, and its tag': (store, layout) => bendingWrites(store, without(layout.names.countedState)),
  'the life of a node': (store, layout) => {
    const { incarnation, countedState } = layout.names
    const alike = (item: Item): Item => ({
      ...item,
      ...(parseItem(layout, item)?.kind.role === 'node' && { [incarnation]: CONSTANT }),
      ...(item[countedState]?.M && { [countedState]: { M: { ...item[countedState]!.M, life: CONSTANT } } }),
    })
    return bendingReads(bendingWrites(store, without(incarnation)), alike)
  },
  'that what is changed is there': (store, layout, isWriter) =>
    isWriter ? store : bendingWrites(store, without(layout.names.partition, /^attribute_exists/)),
  'the consistent enumeration': (store, layout, isWriter, delivery) => {
    if (isWriter) return store
    const wrapped = wrap(store, async (operation, request, options, send) => {
      const answer = await send(request, options)
      const { Items } = answer as { Items?: Item[] }
      if (operation !== 'query' || !Items) return answer
      // A lagging index does not contain the latest puts.
      const late = new Set(delivery.latest(LAGGING).map(key => JSON.stringify(key)))
      return {
        ...(answer as object),
        Items: Items.filter(item => !late.has(JSON.stringify(keyOfItem(layout.names, item)))),
      } as never
    })
    return wrapped as Service
  },
  'the lineages that a closure follows from': (store, layout) => bendingWrites(store, without(layout.names.lineage)),
  'the tag of a recount': (store, layout) => bendingWrites(store, without(layout.names.countTag)),
  'the comparison of both items': (store, layout, isWriter) =>
    isWriter
      ? store
      : bendingReads(store, async item => {
          const found = parseItem(layout, item)
          if (found?.kind.role !== 'mirror') return item
          const Key = edgeKeyOf(layout, edgeReferenceOf(layout, found))
          const { Item: own } = await store.getItem({ TableName: layout.design.name, Key, ConsistentRead: true })
          const bent = { ...item }
          for (const { copyName } of (found.kind.type as DeclaredEdge).carry) {
            const name = layout.names.attributeOf(found.kind.type, copyName)
            if (own?.[name]) bent[name] = own[name]
            else delete bent[name]
          }
          return bent
        }),
  'the condition of a write-back': store =>
    bendingSummaries(store, parts =>
      parts.map(({ Update, ...part }) => {
        const [any] = Object.keys(Update?.ExpressionAttributeNames ?? {})
        const always = `attribute_exists(${any}) OR attribute_not_exists(${any})`
        return { ...part, Update: { ...Update, ConditionExpression: `${Update?.ConditionExpression} OR ${always}` } }
      }),
    ),
  'the order of write-backs': (store, layout) =>
    bendingSummaries(store, parts => summaryNamesOf(layout).reduce((bent, name) => without(name)(bent), parts)),
  // A write-back compares moments; a writer or a consumer that gives a mirror summaries compares equality.
  'the check of the summaries of a mirror': (store, layout) =>
    bendingWrites(store, parts => summaryNamesOf(layout).reduce((bent, name) => without(name, /^[^<]*$/)(bent), parts)),
  'tombstones, with recounts off': (store, layout, isWriter, delivery) => {
    delivery.hide(layout.names.countedState)
    return isWriter
      ? bendingWrites(store, parts => parts.filter(({ Put }) => Put?.Item?.[layout.names.type]?.S !== TOMBSTONE_TYPE))
      : store
  },
}

const LAGGING = 15
/** The requests of other actors that a slow consumer may miss. */
const SLOW_TURNS = 12

const isNodeKey = (layout: Layout, key: Key) => key[layout.names.sort]?.S === '#'

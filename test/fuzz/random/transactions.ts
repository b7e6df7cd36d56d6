import { condition } from './conditions.js'
import { itemOf, keyOf, namesOf } from './item-operations.js'
import { type Call, capacityAsked, type Ground } from './operation.js'
import { Placeholders } from './placeholders.js'
import { projection } from './projections.js'
import { update } from './updates.js'

type Members = Record<string, unknown>

export function transactWriteItems(ground: Ground): Call {
  const { chance } = ground
  const seen = new Set<string>()
  const actions = chance
    .several(1, 4, () => action(ground))
    .filter(given => {
      const { table, key } = given
      const id = `${table} ${JSON.stringify(Object.entries(key).sort())}`
      const again = seen.has(id)
      seen.add(id)
      return !again || chance.happens(0.05)
    })
  const metrics = chance.maybe(0.1, () => ({ ReturnItemCollectionMetrics: 'SIZE' }))
  const request = { TransactItems: actions.map(({ member }) => member), ...metrics, ...capacityAsked(ground) }
  return { operation: 'transactWriteItems', request }
}

interface Action {
  readonly table: string
  readonly key: Members
  readonly member: Members
}

function action({ chance, tables }: Ground): Action {
  const table = chance.pick(tables)
  const to = new Placeholders(chance)
  const Key = keyOf(chance, table)
  const test = () => ({ ConditionExpression: condition(to, namesOf(table)) })
  const member = chance.way<Members>(
    [4, () => ({ Put: { Item: { ...itemOf(chance, table), ...Key }, ...chance.maybe(0.3, test) } })],
    [4, () => ({ Update: { Key, UpdateExpression: update(to, table), ...chance.maybe(0.3, test) } })],
    [2, () => ({ Delete: { Key, ...chance.maybe(0.3, test) } })],
    [1, () => ({ ConditionCheck: { Key, ...test() } })],
  )
  const returned = chance.maybe(0.3, () => ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))
  const common = { TableName: table.name, ...to.members, ...returned }
  const entries = Object.entries(member).map(([kind, given]) => [kind, { ...(given as Members), ...common }])
  return { table: table.name, key: Key, member: Object.fromEntries(entries) }
}

export function transactGetItems(ground: Ground): Call {
  const { chance, tables } = ground
  const TransactItems = chance.several(1, 4, () => {
    const table = chance.pick(tables)
    const to = new Placeholders(chance)
    const asked = chance.maybe(0.4, () => ({ ProjectionExpression: projection(to, namesOf(table)) }))
    return { Get: { TableName: table.name, Key: keyOf(chance, table), ...asked, ...to.members } }
  })
  return { operation: 'transactGetItems', request: { TransactItems, ...capacityAsked(ground) } }
}

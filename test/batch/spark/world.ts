import type { Store } from 'edgewise'
import {
  bigint,
  boolean,
  counter,
  date,
  decimal,
  edge,
  embedded,
  graph,
  integer,
  json,
  list,
  map,
  node,
  number,
  open,
  set,
  string,
  summary,
} from 'edgewise'
import type { AttributeValue, Item } from 'edgewise/dynamodb'
import { memory } from 'edgewise/engine'
import { moveSubtree } from 'edgewise/jobs'
import { itemsIn } from '../export-files.js'

const person = node(
  'person',
  {
    id: string(),
    name: string().optional(),
    'in-No_1': string().optional(),
    size: integer().optional(),
    huge: bigint().optional(),
    done: boolean().optional(),
    at: date().optional(),
    scores: set(number()).optional(),
    lines: list(map({ text: string(), amount: number(), Text: string().optional() })).optional(),
    any: json().optional(),
    friends: counter(),
    paid: counter(),
    blocked: counter(),
    teams: embedded({ weight: integer() }),
    rank: summary(),
    links: summary(integer()),
    total: summary(),
    group: summary(string()),
    suggested: summary(list(string())),
    far: summary(),
  },
  { id: 'id', unique: ['name'], by: { size: { order: ['size'] } } },
)
const team = node(
  'team',
  {
    name: string(),
    year: integer({ min: -50, max: 9999 }),
    title: string(),
    points: number(),
    links: summary(integer()),
  },
  { id: ['name', 'year'], by: { title: { in: ['title'], order: ['points'], as: 'item' } } },
)
const note = node('note', { no: integer(), text: string() }, { id: 'no', within: person })
const knows = edge(
  'knows',
  { a: person, b: person },
  { weight: number(), share: summary() },
  { undirected: true, count: { a: 'friends' } },
)
const member = edge(
  'member',
  { person, team },
  { part: string(), pay: number(), exact: decimal(), weight: integer() },
  {
    key: ['part'],
    sum: { person: { into: 'paid', of: 'pay' } },
    embed: { person: { into: 'teams', max: 50 } },
    carry: { teamTitle: { from: 'team.title', sync: 'eventual' } },
    by: { team: { as: 'mirror', shards: 3 } },
  },
)
const blocks = edge(
  'blocks',
  { who: person, whom: person },
  {},
  { count: { whom: 'blocked' }, by: { whom: { as: 'none' } } },
)
const manages = edge('manages', { boss: person, report: person }, {}, { one: 'report', tree: true })

const above = edge(
  'above',
  { boss: person, report: person },
  { depth: integer(), path: string() },
  { closureOf: manages },
)

/** A graph with tenants, shards, owned nodes, undirected edges, ends without a path and keys of every form. */
export const world = graph('world', [person, team, note, knows, member, blocks, manages, above], { tenant: true })

const TENANTS = ['acme', 'a#c$me']
/** Ids with every character that keys escape, and others that SQL does. */
const IDS = ['ann', 'b#ob', '$cy', "d'an\\", 'é\u{1f600}"', 'f\u0000\u2028g', 'hal', '#', 'ivy', 'jo', 'kim', 'lee']

const PAYS = [0, 0.05, -0.05, 1e15, -1.5, 1e-20, 100, 7]
const EXACT = ['0', '-0.05', '12345678901234567890123456789', '1e-20']

/** A table with the graph, the same for the same seed. */
export async function filledWorld(): Promise<{
  readonly store: Store
  readonly g: Awaited<ReturnType<typeof opened>>
}> {
  const store = memory()
  const g = await opened(store)
  for (const tenant of TENANTS) {
    const own = g.$tenant(tenant)
    for (const [at, id] of IDS.entries())
      await own.person.put({
        id,
        name: `${id} name`,
        ...(at % 2 === 0 && { size: at * 1000 - 3000, done: at % 4 === 0, 'in-No_1': `"${at}'` }),
        ...(at % 3 === 0 && {
          huge: 10n ** BigInt(at * 3) + 1n,
          at: new Date(1_790_000_000_123 + at),
          scores: new Set([at + 0.5, 2e30]),
          lines: [
            { text: `${at}'\\`, amount: 1e-100 },
            { text: 'x', amount: at, Text: 'y' },
          ],
          any: { a: [1, null, { B: 'x' }], S: 'text' },
        }),
      })
    for (const [at, year] of [0, -50, 9999, -7].entries())
      await own.team.put({ name: IDS[at]!, year, title: `Team ${at % 2}#`, points: [1.5, -2, 0, 1e-7][at]! })
    for (const [at, id] of IDS.entries()) {
      await own.note.put({ person: id, no: at - 3, text: 'n' })
      for (const step of [1, 2, 5]) {
        const b = IDS[(at + step) % (IDS.length - 2)]!
        if (at < IDS.length - 2) await own.knows.put({ a: id, b, weight: ((at * step) % 4) + 1 })
      }
      const [name, year] = [IDS[at % 4]!, [0, -50, 9999, -7][at % 4]!]
      const pay = PAYS[at % PAYS.length]!
      await own.member.put({ person: id, team: { name, year }, part: `${id}!`, pay, exact: EXACT[at % 4]!, weight: at })
      await own.member.put({ person: id, team: { name, year }, part: 'second', pay: 0.1, exact: '1', weight: 1 })
      if (at % 3 === 1) await own.blocks.put({ who: id, whom: IDS[at - 1]! })
      if (at > 0) await moveSubtree(g, 'manages', { boss: IDS[(at - 1) >> 1]!, report: id }, { tenant })
    }
    await own.knows.put({ a: 'hal', b: 'hal', weight: 2 })
  }
  return { store, g }
}

export const opened = (store: Store) => open(world, store, { follow: false })

/** Damages one item in each of these ways. */
export async function damageWorld(store: Store): Promise<void> {
  const items = await itemsIn(store, 'world')
  const nth = (mark: string, at: number): Item => items.filter(({ _type }) => _type?.S === mark)[at]!
  const put = (item: Item, changes: Record<string, AttributeValue | undefined>) => {
    const Item = Object.fromEntries(Object.entries({ ...item, ...changes }).filter(([, value]) => value)) as Item
    return store.putItem({ TableName: 'world', Item })
  }
  const remove = ({ PK, SK }: Item) => store.deleteItem({ TableName: 'world', Key: { PK: PK!, SK: SK! } })
  await put(nth('person', 0), { friends: { N: '9' } })
  await put(nth('person', 1), { paid: { N: '0.30000000000000000001' } })
  await put(nth('person', 2), { '$edges.paid': { N: '1' } })
  await put(nth('person', 3), { teams: { M: {} } })
  await put(nth('person', 4), { GSI1PK: { S: 'elsewhere' } })
  await put(nth('person', 5), { _type: undefined })
  await put(nth('member', 0), { teamTitle: { S: 'Other' } })
  await put(nth('member', 1), { weight: { S: 'heavy' } })
  await remove(nth('member', 2))
  await remove(nth('member.team', 3))
  await remove(nth('team', 0))
  await remove(nth('team.title', 1))
  await remove(nth('person.name', 6))
  await put(nth('person', 7), { PK: { S: 'no key' } })
  await put(nth('person', 9), { blocked: { N: '7' } })
  await put(nth('person', 10), { friends: { S: 'many' } })
  // Numbers whose sum DynamoDB cannot hold, and a key without an integer.
  await put(nth('member', 6), { pay: { N: '9e125' } })
  await put(nth('member', 7), { pay: { N: '9e125' } })
  await remove(nth('above', 1))
  await put(nth('above', 3), { depth: { N: '9' } })
  await put(nth('above', 5), { path: { S: 'elsewhere' } })
  await put(nth('above', 7), { SK: { S: 'above#nobody' } })
  await put(nth('manages', 2), { _lineage: undefined })
  await put(nth('manages', 4), { _lineage: { M: { lineage: { L: [] } } } })
  const team = nth('team', 2)
  await put(team, { PK: { S: team.PK!.S!.replace(/[^#]*$/, 'zzz') } })
}

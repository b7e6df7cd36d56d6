import { expect, it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { decimal, graph, integer, layout, node, open, string } from '../../src/index.js'
import { anySortlessSchema } from '../graph/model/schemas/sortless-tables.js'
import { equalsModel, equalsModelUnderFaults, runs } from '../graph/model/suite.js'
import { embedded, localClient } from './local-client.js'

it("any operations on any graph in DynamoDB Local return the same as plain rows, through the AWS SDK's client", async () => {
  await equalsModel(() => embedded(localClient()), 25, runs(12))
})

it('a failed request to DynamoDB Local is applied completely or not at all', async () => {
  await equalsModelUnderFaults(() => embedded(dynamodb({ client: localClient() })), 20, runs(12))
})

it('a failed request to a table without a sort key is applied completely or not at all', async () => {
  await equalsModel(() => embedded(localClient()), 25, runs(8), anySortlessSchema)
})

it('numeric keys are stored, sorted and read as in the engine', async () => {
  const film = node(
    'film',
    { year: integer(), title: string(), rank: decimal() },
    { id: ['year', 'title'], by: { rank: { in: ['year'], order: ['rank'] } } },
  )
  const films = layout(graph('films', [film]), {
    raw: true,
    table: { keys: ['year', 'title'] },
    indexes: { ranks: { keys: ['year', 'rank'] } },
    keys: { film: { year: '{year}', title: '{title}', rank: '{rank}' } },
  })
  const g = await open(films, embedded(localClient()))
  const ranks = ['10', '-1.5', '9.25', '1e20']
  for (const [i, rank] of ranks.entries()) await g.film.create({ year: 1995, title: `f${i}`, rank })
  const of1995 = g.film.by.rank({ year: 1995 })
  const found = async (rows: Promise<readonly { readonly title: string }[]>) => (await rows).map(({ title }) => title)
  expect(await found(of1995.all().then(rows => rows))).toEqual(['f1', 'f2', 'f0', 'f3'])
  expect(
    await found(
      of1995
        .where({ rank: { from: '9.3' } })
        .all()
        .then(rows => rows),
    ),
  ).toEqual(['f0', 'f3'])
  const { items, cursor } = await of1995.page({ limit: 2 })
  const next = await of1995.page({ limit: 2, cursor: cursor! })
  expect([...items, ...next.items].map(({ title }) => title)).toEqual(['f1', 'f2', 'f0', 'f3'])
  await g.$transact([g.film.update({ year: 1995, title: 'f0' }, { rank: '-20' })], { token: 'once' })
  expect(await found(of1995.all().then(rows => rows))).toEqual(['f0', 'f1', 'f2', 'f3'])
})

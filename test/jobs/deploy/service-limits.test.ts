import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, string } from '../../../src/index.js'
import { type DeployProgress, deploy, deployment } from '../../../src/jobs/deploy/deploy.js'

const attributes = { name: string(), year: integer() }
const cinema = graph('cinema', [node('movie', attributes, { id: 'name', by: { year: { order: ['year'] } } })])
const bare = graph('cinema', [node('movie', attributes, { id: 'name' })])

/** A clock that resolves every sleep at once. */
const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 1)) }

type Memory = ReturnType<typeof memory>
type Asked = { readonly TableName?: string }

/** A store that records the table of each change. */
function noting(store: Memory) {
  const asked: string[] = []
  const noted = new Proxy(store, {
    get: (of, name: keyof Memory) => (request: Asked) => {
      if (/^(create|update)(?!Item)/.test(name)) asked.push(`${name} ${request.TableName}`)
      return (of[name] as (request: Asked) => unknown)(request)
    },
  })
  return { noted, asked }
}

/** A store whose DescribeTable shows changes only after several requests. */
function late(store: Memory, looks: number) {
  let stale = 0
  let before: Awaited<ReturnType<Memory['describeTable']>> | undefined
  const change = async <T>(TableName: string, send: () => Promise<T>): Promise<T> => {
    before = await store.describeTable({ TableName }).catch(() => undefined)
    const answer = await send()
    stale = looks
    return answer
  }
  return Object.assign(Object.create(store) as Memory, {
    createTable: (request: Parameters<Memory['createTable']>[0]) =>
      change(request.TableName!, () => store.createTable(request)),
    updateTable: (request: Parameters<Memory['updateTable']>[0]) =>
      change(request.TableName!, () => store.updateTable(request)),
    describeTable: async (request: Parameters<Memory['describeTable']>[0]) => {
      if (stale === 0) return store.describeTable(request)
      stale--
      if (before) return before
      throw Object.assign(new Error('Requested resource not found'), { name: 'ResourceNotFoundException' })
    },
  })
}

describe('deploy of a table that is named by its ARN', () => {
  it("sends every request with the ARN, because the caller's account may have a table of the same name", async () => {
    const store = memory()
    await deploy(bare, store, { clock, recoveryDays: 0, deletionProtection: false })
    await store.updateTimeToLive({
      TableName: 'cinema',
      TimeToLiveSpecification: { Enabled: false, AttributeName: '_expires' },
    })
    const { Table } = await store.describeTable({ TableName: 'cinema' })
    const table = Table!.TableArn!
    const { noted, asked } = noting(store)
    const found = await deployment(cinema, noted, { table })
    expect(found.difference.table).toBe(table)
    expect(found.difference.steps.map(({ input }) => input.TableName)).toEqual(Array(4).fill(table))
    await deploy(cinema, noted, { clock, table })
    expect(asked).toEqual([
      `updateTable ${table}`,
      `updateContinuousBackups ${table}`,
      `updateTable ${table}`,
      `updateTimeToLive ${table}`,
    ])
  })
})

describe('deploy with delayed table descriptions', () => {
  it('creates a table once, although it is not visible at first', async () => {
    const { noted, asked } = noting(late(memory(), 3))
    const waited: string[] = []
    const progress = ({ state, busy }: DeployProgress) => state === 'waiting' && waited.push(...busy)
    const { done } = await deploy(bare, noted, { clock, progress, recoveryDays: 0, deletionProtection: false })
    expect(done).toEqual(['Create the table cinema.', 'Let items expire at the time in _expires.'])
    expect(asked).toEqual(['createTable cinema', 'updateTimeToLive cinema'])
    expect(waited).toEqual(Array(3).fill('the table is not visible yet'))
  })

  it('creates an index once, although it is not visible at first', async () => {
    const store = memory()
    await deploy(bare, store, { clock })
    const { noted, asked } = noting(late(store, 4))
    expect((await deploy(cinema, noted, { clock })).done).toHaveLength(1)
    expect(asked).toEqual(['updateTable cinema'])
    expect((await deployment(cinema, store)).difference.steps).toEqual([])
  })

  it('creates a table again that another call deleted meanwhile', async () => {
    const store = memory()
    let left = 1
    const deleted = Object.assign(Object.create(store) as Memory, {
      createTable: async (request: Parameters<Memory['createTable']>[0]) => {
        const answer = await store.createTable(request)
        if (left-- > 0) await store.deleteTable({ TableName: 'cinema' })
        return answer
      },
    })
    const { done } = await deploy(bare, deleted, { clock })
    expect(done.filter(says => says === 'Create the table cinema.')).toHaveLength(2)
  })
})

describe('deploy of a design beyond the service limits', () => {
  const film = node('фильм', attributes, { id: 'name', by: { year: { order: ['year'], as: 'native' } } })

  it('a deployment beyond the service limits is rejected before any change, also by deployment()', async () => {
    const store = memory()
    const refused =
      "table 'cinema': DynamoDB does not allow its new design (The name of the index фильм_year is not of 3 to 255"
    await expect(deployment(graph('cinema', [film]), store)).rejects.toThrow(refused)
    await expect(deploy(graph('cinema', [film]), store, { clock })).rejects.toThrow(refused)
    expect((await store.listTables({})).TableNames).toEqual([])
  })

  it('a deployment is not rejected for the number of indexes, because that quota can be raised', async () => {
    const by = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`p${at}`, { order: ['year'], as: 'native' } as const]),
    )
    const many = graph('cinema', [node('movie', attributes, { id: 'name', by })])
    expect((await deployment(many, memory())).create?.GlobalSecondaryIndexes).toHaveLength(21)
  })

  it.each([36, -1, 1.5, Number.NaN, '7'])('a deployment is rejected for a recovery of %s days', async recoveryDays => {
    const store = memory()
    const options = { clock, recoveryDays: recoveryDays as number }
    await expect(deploy(bare, store, options)).rejects.toThrow('is out of range; give a whole number from 0 to 35.')
    expect((await store.listTables({})).TableNames).toEqual([])
  })

  it('a deployment is rejected if the name of the checkpoint table is too long, unless that table is omitted', async () => {
    const fans = node('movie', { name: string(), fans: counter() }, { id: 'name' })
    const actor = node('actor', { name: string() }, { id: 'name' })
    const likes = edge('likes', { movie: fans, actor }, {}, { count: { movie: { into: 'fans', by: 'stream' } } })
    const liked = graph('cinema', [fans, actor, likes])
    const table = 'x'.repeat(250)
    const store = memory()
    await expect(deploy(liked, store, { clock, table })).rejects.toMatchObject({ code: 'name.invalid' })
    expect((await store.listTables({})).TableNames).toEqual([])
    await deploy(liked, store, { clock, table, consumers: false })
    expect((await store.listTables({})).TableNames).toEqual([table])
  })
})

import { describe, expect, it } from 'vitest'
import { follow } from '../../../src/derive/follow/follow.js'
import { memory } from '../../../src/engine/memory.js'
import { counter, date, edge, graph, integer, layout, node, open, string, wrap } from '../../../src/index.js'
import { backfill } from '../../../src/jobs/backfill/backfill.js'
import { type DeployProgress, deploy, deployment } from '../../../src/jobs/deploy/deploy.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'

const attributes = { name: string(), year: integer(), until: date().optional() }
const actor = node('actor', { name: string() }, { id: 'name' })
const bare = node('movie', attributes, { id: 'name' })
const before = graph('cinema', [
  bare,
  actor,
  edge('role', { movie: bare, actor }, {}, { by: { actor: { as: 'none' } } }),
])

const movie = node('movie', attributes, {
  id: 'name',
  expires: 'until',
  by: { year: { order: ['year'] }, named: { order: ['name'] } },
})
const after = graph('cinema', [movie, actor, edge('role', { movie, actor })])

/** A clock by which nobody waits. */
const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 1)) }

const named = (name: string, message: string) => Object.assign(new Error(message), { name })

const indexesOf = async (store: ReturnType<typeof memory>) =>
  ((await store.describeTable({ TableName: 'cinema' })).Table?.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName }) => IndexName,
  )

describe('deploy', () => {
  it('waits for the backups of a new table, which are not ready when it is', async () => {
    const store = memory()
    let refusals = 0
    const unready = Object.assign(Object.create(store) as typeof store, {
      updateContinuousBackups: async (request: Parameters<typeof store.updateContinuousBackups>[0]) => {
        if (refusals++ < 3)
          throw Object.assign(new Error('Backups are being enabled for the table: cinema. Please retry later'), {
            name: 'ContinuousBackupsUnavailableException',
          })
        return store.updateContinuousBackups(request)
      },
    })
    const waited: (readonly string[])[] = []
    const progress = ({ state, busy }: DeployProgress) => state === 'waiting' && waited.push(busy)
    const { done } = await deploy(after, unready, { clock, progress })
    expect(done).toContain('Keep the table so that it can be restored to any second of the last 35 days.')
    expect(waited).toEqual(Array(3).fill(['backups are being enabled']))
    refusals = Number.NEGATIVE_INFINITY
    const never = Object.assign(unready, { describeContinuousBackups: async () => ({}) })
    await expect(deploy(after, never, { clock })).rejects.toThrow('Backups are being enabled')
  })

  it('waits for a table that is being made, or deleted, of which the service tells nothing more', async () => {
    for (const status of ['CREATING', 'DELETING']) {
      const store = memory()
      await store.createTable(toCreateTableInput(layout(after).design))
      let looks = 0
      const coming = Object.assign(Object.create(store) as typeof store, {
        describeTable: async (request: Parameters<typeof store.describeTable>[0]) => {
          const { Table } = await store.describeTable(request)
          return { Table: looks++ < 3 ? { ...Table, TableStatus: status } : Table }
        },
        describeTimeToLive: async (request: Parameters<typeof store.describeTimeToLive>[0]) => {
          if (looks < 4)
            throw named('ValidationException', `Cannot describe time to live while table is in ${status} state`)
          return store.describeTimeToLive(request)
        },
        describeContinuousBackups: async (request: Parameters<typeof store.describeContinuousBackups>[0]) => {
          if (looks < 6) throw named('TableNotFoundException', 'Table not found: cinema')
          return store.describeContinuousBackups(request)
        },
        updateTable: async (request: Parameters<typeof store.updateTable>[0]) => {
          if (looks < 4) throw named('ResourceInUseException', `Table is being updated: ${status}`)
          return store.updateTable(request)
        },
      })
      const { done } = await deploy(after, coming, { clock })
      expect(done).toContain('Let items expire at the time in _expires.')
      expect(looks).toBeGreaterThan(3)
    }
  })

  it('tries again what the service refuses for now, which takes few requests about tables in a second', async () => {
    const store = memory()
    const refused = new Set<string>()
    const busy = new Proxy(store, {
      get: (of, name: keyof typeof store) => async (request: never) => {
        if (/(Table|TimeToLive|Backups)$/.test(name) && !refused.has(name)) {
          refused.add(name)
          throw named('ThrottlingException', 'Rate exceeded')
        }
        return (of[name] as (request: never) => Promise<unknown>)(request)
      },
    })
    const { done } = await deploy(after, busy, { clock })
    expect(done).toHaveLength(4)
    expect([...refused].sort()).toEqual([
      'createTable',
      'describeContinuousBackups',
      'describeTable',
      'describeTimeToLive',
      'updateContinuousBackups',
      'updateTable',
      'updateTimeToLive',
    ])
  })

  it('goes on with a table that another makes in the same moment', async () => {
    const store = memory()
    const raced = Object.assign(Object.create(store) as typeof store, {
      createTable: async (request: Parameters<typeof store.createTable>[0]) => {
        await store.createTable(request)
        return store.createTable(request)
      },
    })
    const { done } = await deploy(before, raced, { clock })
    expect(done[0]).toBe('Create the table cinema.')
    expect(await deployment(before, store)).toMatchObject({ create: undefined, fingerprint: 'same' })
  })

  it('tells what the service refuses for good, and what it takes and does not do', async () => {
    const store = memory()
    await deploy(before, store, { clock, deletionProtection: false })
    const updating = (updateTable: () => Promise<unknown>) =>
      deploy(before, Object.assign(Object.create(store) as typeof store, { updateTable }), { clock })
    const refused = named('ValidationException', 'The table was modified multiple times')
    await expect(updating(() => Promise.reject(refused))).rejects.toThrow(refused.message)
    await expect(updating(async () => ({}))).rejects.toThrow('a completed step does not show in the table; ')
    const other = named('ValidationException', 'Time to live cannot be so')
    const updateTimeToLive = () => Promise.reject(other)
    const expiring = Object.assign(Object.create(memory()) as typeof store, { updateTimeToLive })
    await expect(deploy(after, expiring, { clock })).rejects.toThrow(other.message)
  })

  it('says of a table that is archived that it does not pass', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    const { Table } = await store.describeTable({ TableName: 'cinema' })
    const archived = Object.assign(Object.create(store) as typeof store, {
      describeTable: async () => ({ Table: { ...Table, TableStatus: 'ARCHIVED' } }),
    })
    await expect(deploy(after, archived, { clock })).rejects.toThrow("the table 'cinema' is ARCHIVED")
    await open(after, archived)
  })

  it('leaves for later a time to live that waits for that of another attribute to end', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    const enabled = { Enabled: true, AttributeName: 'until' }
    await store.updateTimeToLive({ TableName: 'cinema', TimeToLiveSpecification: enabled })
    const hasty = Object.assign(Object.create(store) as typeof store, {
      updateTimeToLive: async (request: Parameters<typeof store.updateTimeToLive>[0]) => {
        // What it is asked to be is looked at before how soon.
        if (request.TimeToLiveSpecification?.Enabled) return store.updateTimeToLive(request)
        throw named('ValidationException', 'Time to live has been modified multiple times within a fixed interval')
      },
    })
    const { done, postponed } = await deploy(after, hasty, { clock })
    expect(done).toHaveLength(2)
    expect(postponed).toEqual([
      'Stop items from expiring at the time in until: the design does not know it, and DynamoDB deletes by it.',
      'Let items expire at the time in _expires.',
    ])
    expect((await deploy(after, store, { clock })).done).toEqual(postponed)
  })

  it('makes a table with its time to live, its recovery and its protection, so that it opens', async () => {
    const store = memory()
    const found = await deployment(after, store)
    expect(found.create?.TableName).toBe('cinema')
    expect(found.difference.steps.map(({ code }) => code)).toEqual([
      'recovery.enable',
      'protection.enable',
      'ttl.enable',
    ])
    const { done } = await deploy(after, store, { clock })
    expect(done).toEqual([
      'Create the table cinema.',
      'Keep the table so that it can be restored to any second of the last 35 days.',
      'Refuse to delete the table until this is turned off.',
      'Let items expire at the time in _expires.',
    ])
    expect((await deploy(after, store, { clock })).done).toEqual([])
    await open(after, store, { create: false })
    const { Table } = await store.describeTable({ TableName: 'cinema' })
    expect(Table?.DeletionProtectionEnabled).toBe(true)
    const backups = await store.describeContinuousBackups({ TableName: 'cinema' })
    expect(backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription).toMatchObject({
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: 35,
    })
  })

  it('adds indexes one at a time and waits for each, then says that items are of another layout', async () => {
    const store = memory({ transitionMs: 20 })
    await deploy(before, store, { clock, recoveryDays: 0, deletionProtection: false })
    const g = await open(before, store)
    await g.movie.put({ name: 'Big', year: 1988 })
    const told: DeployProgress[] = []
    const options = {
      clock,
      recoveryDays: 0,
      deletionProtection: false,
      progress: (each: DeployProgress) => void told.push(each),
    }
    const { done, drift } = await deploy(after, store, options)
    expect(done.map(says => says.split(' ').slice(0, 4).join(' '))).toEqual([
      'Create the index GSI1',
      'Create the index GSI2',
    ])
    expect(
      told.some(({ state, busy }) => state === 'waiting' && busy.join().includes('the index GSI1 is CREATING')),
    ).toBe(true)
    expect(drift.length).toBeGreaterThan(0)
    await expect(open(after, store)).rejects.toMatchObject({ code: 'layout.drift' })
    await backfill(after, store)
    expect((await (await open(after, store)).movie.by.year().all()).length).toBe(1)
    expect((await deploy(after, store, options)).drift).toEqual([])
  })

  it('does what is left when it was cut off', async () => {
    const store = memory({ transitionMs: 20 })
    await deploy(before, store, { clock })
    const stop = new AbortController()
    const cut = {
      clock,
      signal: stop.signal,
      progress: ({ state }: DeployProgress) => state === 'waiting' && stop.abort(),
    }
    await expect(deploy(after, store, cut as never)).rejects.toThrow('aborted')
    expect((await indexesOf(store)).length).toBe(1)
    await deploy(after, store, { clock })
    expect((await indexesOf(store)).sort()).toEqual(['GSI1', 'GSI2'])
  })

  it('leaves alone what only saves, unless it is asked for', async () => {
    const store = memory()
    await deploy(after, store, { clock, recoveryDays: 0, deletionProtection: false })
    expect((await deploy(before, store, { clock, recoveryDays: 0, deletionProtection: false })).done).toEqual([])
    expect((await indexesOf(store)).length).toBe(2)
    await deploy(before, store, { clock, optional: true })
    expect(await indexesOf(store)).toEqual([])
  })

  it('turns on the time to live of a table that was made without, by which receipts of tokens go', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(before).design))
    const g = await open(before, store, { create: false })
    await g.$transact([g.movie.put({ name: 'Big', year: 1988 })], { token: 'once' })
    expect((await deploy(before, store, { clock, recoveryDays: 0, deletionProtection: false })).done).toEqual([
      'Let items expire at the time in _expires.',
    ])
  })

  it('changes nothing of a table that cannot become as designed', async () => {
    const store = memory()
    await deploy(layout(before, { table: { keys: ['A', 'B'] } }), store, { clock })
    await expect(deploy(after, store, { clock })).rejects.toMatchObject({ code: 'table.mismatch' })
    expect(await indexesOf(store)).toEqual([])
  })

  it('writes down the types that came since, so that those who may only read the fingerprint open it', async () => {
    const store = memory()
    await deploy(graph('cinema', [bare], { tenant: true }), store, { clock })
    const grown = graph('cinema', [bare, actor], { tenant: true })
    await deploy(grown, store, { clock })
    const tenants = wrap(store, async (operation, request, options, send) => {
      if (operation !== 'describeTable' && operation !== 'getItem')
        throw named('AccessDeniedException', 'not authorized')
      return send(request, options)
    })
    await open(grown, tenants)
    await open(graph('cinema', [bare], { tenant: true }), tenants)
  })

  it('writes its fingerprint into a table that others made and left empty', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    await deploy(after, store, { clock })
    expect(await deployment(after, store)).toMatchObject({ fingerprint: 'same' })
  })

  it('writes no fingerprint into a table that others have filled', async () => {
    const store = memory()
    await deploy(before, store, { clock })
    await store.deleteItem({ TableName: 'cinema', Key: { PK: { S: '$edgewise' }, SK: { S: '$' } } })
    const { Items: own = [] } = await store.scan({ TableName: 'cinema' })
    for (const { PK, SK } of own) await store.deleteItem({ TableName: 'cinema', Key: { PK: PK!, SK: SK! } })
    await store.putItem({ TableName: 'cinema', Item: { PK: { S: 'a' }, SK: { S: 'b' } } })
    await deploy(before, store, { clock })
    expect((await store.scan({ TableName: 'cinema' })).Count).toBe(1)
  })
})

describe('deploy of a graph that the stream keeps', () => {
  const fans = node('movie', { name: string(), fans: counter() }, { id: 'name' })
  const likes = edge('likes', { movie: fans, actor }, {}, { count: { movie: { into: 'fans', by: 'stream' } } })
  const liked = graph('cinema', [fans, actor, likes])
  const bare = { clock, recoveryDays: 0, deletionProtection: false }
  const tablesOf = async (store: ReturnType<typeof memory>) => (await store.listTables({})).TableNames

  it('makes the small table of followers too, by which one then follows', async () => {
    const store = memory()
    expect((await deployment(liked, store)).consumers?.TableName).toBe('cinema-consumers')
    expect((await deploy(liked, store, bare)).done).toEqual([
      'Create the table cinema.',
      'Let items expire at the time in _expires.',
      'Create the checkpoint table cinema-consumers for followers of the stream.',
    ])
    expect(await tablesOf(store)).toEqual(['cinema', 'cinema-consumers'])
    expect((await deploy(liked, store, bare)).done).toEqual([])
    expect((await deployment(liked, store)).consumers).toBeUndefined()
    const g = await open(liked, store, { create: false, follow: false })
    const following = await follow(liked, store, { create: false })
    await g.movie.put({ name: 'Big' })
    await g.likes.put({ movie: 'Big', actor: 'Tom Hanks' })
    await following.settled()
    await following.stop()
    expect((await g.movie.get('Big'))?.fans).toBe(1)
  })

  it('leaves it out where it is not wanted, and where the graph needs none', async () => {
    const store = memory()
    await deploy(liked, store, { ...bare, consumers: false })
    await deploy(before, memory(), bare)
    expect(await tablesOf(store)).toEqual(['cinema'])
    expect((await deployment(before, memory())).consumers).toBeUndefined()
  })

  it('names it after the table', async () => {
    const store = memory()
    await deploy(liked, store, { ...bare, table: 'other' })
    expect(await tablesOf(store)).toEqual(['other', 'other-consumers'])
  })
})

describe('deploy on an endpoint that has no backups', () => {
  it('does without them', async () => {
    const store = memory()
    const less = {
      ...store,
      describeContinuousBackups: async () => {
        throw Object.assign(new Error('An unknown operation was requested.'), { name: 'UnknownOperationException' })
      },
    }
    expect((await deploy(before, less, { clock })).done).toEqual([
      'Create the table cinema.',
      'Refuse to delete the table until this is turned off.',
      'Let items expire at the time in _expires.',
    ])
  })
})

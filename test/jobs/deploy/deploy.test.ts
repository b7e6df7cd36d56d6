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

/** A clock that resolves every sleep at once. */
const clock = { now: () => 0, sleep: () => new Promise<void>(resolve => setTimeout(resolve, 1)) }

const named = (name: string, message: string) => Object.assign(new Error(message), { name })

const indexesOf = async (store: ReturnType<typeof memory>) =>
  ((await store.describeTable({ TableName: 'cinema' })).Table?.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName }) => IndexName,
  )

describe('deploy', () => {
  it('waits for the backups of a new table, which are ready after the table', async () => {
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

  it('waits for a table that is being created or deleted, without further requests', async () => {
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

  it('retries throttled table operations', async () => {
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

  it('continues with a table that another call creates at the same moment', async () => {
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

  it('reports steps that the service rejects or accepts without effect', async () => {
    const store = memory()
    await deploy(before, store, { clock, deletionProtection: false })
    const updating = (updateTable: () => Promise<unknown>) =>
      deploy(before, Object.assign(Object.create(store) as typeof store, { updateTable }), { clock })
    const refused = named('ValidationException', 'The table was modified multiple times')
    await expect(updating(() => Promise.reject(refused))).rejects.toThrow(refused.message)
    await expect(updating(async () => ({}))).rejects.toThrow('deploy(): a completed step does not show in the table (')
    const other = named('ValidationException', 'Time to live cannot be so')
    const updateTimeToLive = () => Promise.reject(other)
    const expiring = Object.assign(Object.create(memory()) as typeof store, { updateTimeToLive })
    await expect(deploy(after, expiring, { clock })).rejects.toThrow(other.message)
  })

  it('rejects an archived table', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    const { Table } = await store.describeTable({ TableName: 'cinema' })
    const archived = Object.assign(Object.create(store) as typeof store, {
      describeTable: async () => ({ Table: { ...Table, TableStatus: 'ARCHIVED' } }),
    })
    await expect(deploy(after, archived, { clock })).rejects.toThrow("table 'cinema': its status is ARCHIVED")
    await open(after, archived)
  })

  it('postpones a time to live until that of another attribute is disabled', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    const enabled = { Enabled: true, AttributeName: 'until' }
    await store.updateTimeToLive({ TableName: 'cinema', TimeToLiveSpecification: enabled })
    const hasty = Object.assign(Object.create(store) as typeof store, {
      updateTimeToLive: async (request: Parameters<typeof store.updateTimeToLive>[0]) => {
        // The service validates the request before it limits the rate.
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

  it('creates a table with a time to live, recovery and deletion protection, so that it opens', async () => {
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

  it('adds indexes one at a time, waits for each, and reports items with another layout', async () => {
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

  it('completes the remaining steps after an interruption', async () => {
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

  it("skips steps that only save cost, unless 'optional' is set", async () => {
    const store = memory()
    await deploy(after, store, { clock, recoveryDays: 0, deletionProtection: false })
    expect((await deploy(before, store, { clock, recoveryDays: 0, deletionProtection: false })).done).toEqual([])
    expect((await indexesOf(store)).length).toBe(2)
    await deploy(before, store, { clock, optional: true })
    expect(await indexesOf(store)).toEqual([])
  })

  it('enables the time to live of a table without one, so that receipts of tokens expire', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(before).design))
    const g = await open(before, store, { create: false })
    await g.$transact([g.movie.put({ name: 'Big', year: 1988 })], { token: 'once' })
    expect((await deploy(before, store, { clock, recoveryDays: 0, deletionProtection: false })).done).toEqual([
      'Let items expire at the time in _expires.',
    ])
  })

  it('changes nothing if the table cannot get the design', async () => {
    const store = memory()
    await deploy(layout(before, { table: { keys: ['A', 'B'] } }), store, { clock })
    await expect(deploy(after, store, { clock })).rejects.toMatchObject({ code: 'table.mismatch' })
    expect(await indexesOf(store)).toEqual([])
  })

  it('records new types, so that applications that may only read the fingerprint can open the table', async () => {
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

  it('writes its fingerprint into an empty table of another tool', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(layout(after).design))
    await deploy(after, store, { clock })
    expect(await deployment(after, store)).toMatchObject({ fingerprint: 'same' })
  })

  it('writes no fingerprint into a table with foreign items', async () => {
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

describe('deploy of a graph with stream-derived data', () => {
  const fans = node('movie', { name: string(), fans: counter() }, { id: 'name' })
  const likes = edge('likes', { movie: fans, actor }, {}, { count: { movie: { into: 'fans', by: 'stream' } } })
  const liked = graph('cinema', [fans, actor, likes])
  const bare = { clock, recoveryDays: 0, deletionProtection: false }
  const tablesOf = async (store: ReturnType<typeof memory>) => (await store.listTables({})).TableNames

  it('creates the checkpoint table for followers too', async () => {
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

  it('omits the checkpoint table if it is not wanted or not needed', async () => {
    const store = memory()
    await deploy(liked, store, { ...bare, consumers: false })
    await deploy(before, memory(), bare)
    expect(await tablesOf(store)).toEqual(['cinema'])
    expect((await deployment(before, memory())).consumers).toBeUndefined()
  })

  it('names the checkpoint table after the table', async () => {
    const store = memory()
    await deploy(liked, store, { ...bare, table: 'other' })
    expect(await tablesOf(store)).toEqual(['other', 'other-consumers'])
  })
})

describe('deploy on an endpoint without backups', () => {
  it('skips the recovery setting', async () => {
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

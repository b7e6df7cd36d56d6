import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FollowEvent } from '../../../src/derive/follow/events.js'
import { follow, replay } from '../../../src/derive/index.js'
import type { Consumer } from '../../../src/derive/port.js'
import { consumer } from '../../../src/derive/settle/consumer.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, type Layout, layout, node, open, string } from '../../../src/index.js'
import { backfill, dump, finishDeletes, repair, verify } from '../../../src/jobs/index.js'
import type { Store, Streams } from '../../../src/store/port.js'
import { applicationPolicy, consumerPolicy, type ProductionOptions } from '../../../src/table/index.js'
import { consumersDesign } from '../../../src/table/production/consumers-table.js'
import { readerPolicy } from '../../../src/table/production/policies.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { Tap } from '../../derive/simulator/stream.js'
import { Commands } from '../../graph/model/runner/commands.js'
import { readsOfEverything } from '../../graph/model/runner/exhaustive-reads.js'
import { callOf, ModelClock, OTHER_TENANT, opened } from '../../graph/model/runner/handles.js'
import { Machine } from '../../graph/model/runner/machine.js'
import { outcomeOf } from '../../graph/model/runner/outcome.js'
import { settling } from '../../graph/model/runner/run-consumer.js'
import { anyGivenSchema } from '../../graph/model/schemas/custom-keys.js'
import { anySchema, anyStreamedSchema, type Schema } from '../../graph/model/schemas/random-schemas.js'
import { runs } from '../../graph/model/suite.js'
import { permitted, Used } from './policy-evaluator.js'

const ARN = 'arn:aws:dynamodb:us-east-1:123456789012:table/'

function policiesOf({ design }: Layout, options: ProductionOptions = {}, stream = '*') {
  const table = `${ARN}${design.name}`
  const index = (name: string) => `${table}/index/${name}`
  const [streams, consumers, queue] = [`${table}/stream/*`, `${table}-consumers`, 'arn:aws:sqs:failures']
  const names = { table, index, stream: stream === '*' ? streams : stream, streams, consumers, queue }
  return { application: applicationPolicy(design, options, names), consumer: consumerPolicy(design, options, names)! }
}

/** The tenant of the model as keys contain it. */
const tag = 'acme$#'
const anySeeds = fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: 25, size: 'max' })

/** Whether tenants can read all indexes. A finding reports the indexes whose keys do not begin with the tenant. */
const isReadByTenants = ({ graph: made, layout: own }: Schema) =>
  !made.tenant || (own ?? layout(made)).design.indexes.every(({ partition }) => partition.length === 1)

it.each([
  ['writers maintain all derived data', anySchema],
  ['the stream maintains derived data', anyStreamedSchema],
  ['the layout has custom keys', anyGivenSchema],
])('the policies allow every call of any graph, where %s', async (_, schemas) => {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const store = memory()
    const { application, consumer: keeper } = policiesOf(schema.layout ?? (layout(schema.graph) as Layout), {
      scan: true,
      consumer: { function: 'keep' },
    })
    await opened(schema, store, new ModelClock(), 1)
    const allowed = permitted(store, application, { tag })
    const machine = new Machine(schema, store, await opened(schema, allowed, new ModelClock(), seeds[0]!))
    if (keeper) machine.settle = await settling(machine, ~seeds[0]!, permitted(store, keeper))
    if (schema.graph.tenant) await machine.shareWith(await opened(schema, store, new ModelClock(), -1, OTHER_TENANT))
    const commands = new Commands(schema.graph.declared, undefined, schema.layout)
    for (const command of [...seeds.map(seed => commands.of(seed)), ...readsOfEverything(machine.model)])
      if (!schema.graph.tenant || command.does !== 'scan') await machine.perform(command)
  }
  await fc.assert(fc.asyncProperty(schemas.filter(isReadByTenants), anySeeds, holds), { numRuns: runs(12) })
})

it('a policy with scan allows every job over the whole table of any graph', async () => {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const store = memory()
    const handles = await opened(schema, store, new ModelClock(), seeds[0]!)
    const commands = new Commands(schema.graph.declared)
    const { model } = new Machine(schema, store, handles)
    const writes = seeds.flatMap(seed => {
      const command = commands.of(seed)
      return command.does === 'write' ? [command.write] : []
    })
    for (const write of writes) await outcomeOf(() => callOf(handles, model, write))
    const { application } = policiesOf(layout(schema.graph) as Layout, { scan: true })
    const allowed = permitted(store, application)
    const whole = await open(schema.graph, allowed, { follow: false, create: false })
    await verify(whole)
    await repair(whole)
    await finishDeletes(whole)
    await dump(whole, () => {})
    await backfill(schema.graph, allowed)
  }
  const withoutTenants = anyStreamedSchema.filter(({ graph: made }) => !made.tenant)
  await fc.assert(fc.asyncProperty(withoutTenants, anySeeds, holds), { numRuns: runs(12) })
})

const student = node('student', { id: string(), name: string(), courses: counter() }, { id: 'id' })
const course = node('course', { title: string(), students: counter() }, { id: 'title' })
const takes = edge(
  'takes',
  { course, student },
  {},
  {
    count: { course: { into: 'students', by: 'stream' }, student: { into: 'courses', by: 'stream' } },
    carry: { name: { from: 'student.name', sync: 'eventual' } },
  },
)
const campus = graph('campus', [student, course, takes])

/** A table with its consumers table, and writes with a consumer that keeps up. */
async function campusTable() {
  const store = memory()
  await store.createTable(toCreateTableInput(consumersDesign('campus-consumers')))
  const g = await open(campus, store, { follow: false })
  await g.course.put({ title: 'Algebra' })
  const write = async (keepUp: () => Promise<void>) => {
    for (const id of ['s1', 's2']) {
      await g.student.put({ id, name: 'Thomas' })
      await g.takes.put({ course: 'Algebra', student: id })
    }
    await keepUp()
    await g.student.update('s1', { name: 'Tom' })
    await g.takes.delete({ course: 'Algebra', student: 's1' })
    // Other graphs do not know its mirror.
    await store.deleteItem({ TableName: 'campus', Key: { PK: { S: 'course#Algebra' }, SK: { S: 'takes#s2' } } })
    await keepUp()
  }
  return { store, g, write }
}

/** Follows the stream until every record is handled; fails if the policy denies a request. */
async function followed(store: Store & Streams, what: typeof campus | Consumer = campus): Promise<void> {
  const errors: unknown[] = []
  const listener = (event: FollowEvent) => event.kind === 'error' && errors.push(event.error)
  const follower = await follow(what as typeof campus, store, { visibleMs: 0, pollMs: 10, attempts: 1, listener })
  const refused = new Promise(resolve => setTimeout(resolve, 2000))
  await Promise.race([follower.settled(), refused])
  await follower.stop()
  expect(errors).toEqual([])
}

it("the reader's policy allows every read of a graph and no write", async () => {
  const { store, g, write } = await campusTable()
  await write(() => followed(store))
  await g.takes.put({ course: 'Algebra', student: 's2' })
  const table = `${ARN}campus`
  const index = (name: string) => `${table}/index/${name}`
  const names = { table, index, stream: '*', streams: '*', consumers: '*', queue: '*' }
  const reader = readerPolicy(layout(campus).design, {}, names)
  const allowed = await open(campus, permitted(store, reader), { follow: false, create: false })
  expect(await allowed.course.get('Algebra')).toEqual(await g.course.get('Algebra'))
  expect(await allowed.takes.by.student('s2').withNodes().all()).toHaveLength(1)
  await expect(allowed.course.put({ title: 'Logic' })).rejects.toThrow()
})

describe('policies grant only needed permissions', () => {
  it('the calls of a graph use every permission of the application', async () => {
    const movie = node('movie', { name: string(), year: integer().optional() }, { id: 'name' })
    const actor = node('actor', { name: string() }, { id: 'name' })
    const cinema = graph('cinema', [movie, actor, edge('role', { movie, actor })])
    const store = memory()
    await open(cinema, store)
    const { application } = policiesOf(layout(cinema), { scan: true })
    const used = new Used()
    const g = await open(cinema, permitted(store, application, { used }), { create: false })
    const role = { movie: 'Big', actor: 'Tom Hanks' }
    await g.$batch([g.movie.put({ name: 'Big' }), g.actor.put({ name: 'Tom Hanks' })])
    await g.movie.create({ name: 'Splash' })
    await g.movie.update('Splash', { year: 1984 })
    await g.role.put(role).checkingEnds()
    await g.movie.many(['Big', 'Splash'])
    await g.movie.get('Big')
    await g.role.by.movie('Big').all()
    await g.role.by.actor('Tom Hanks').all()
    await g.role.delete(role)
    await g.movie.scan().all()
    expect(used.unused(application)).toEqual([])
  })

  it('a function that consumes the stream uses every permission of its policy', async () => {
    const { store, write } = await campusTable()
    const { consumer: policy } = policiesOf(layout(campus), { consumer: { function: 'keep' } })
    const used = new Used()
    const { Table } = await store.describeTable({ TableName: 'campus' })
    const tap = new Tap(store, Table!.LatestStreamArn!)
    const { handle } = consumer(campus, permitted(store, policy, { used }))
    await write(async () => {
      for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
        expect((await handle(records)).failures).toEqual([])
    })
    // Lambda itself reads the stream and writes to the queue.
    expect(used.unused(policy).filter(grant => grant.startsWith('Data'))).toEqual([])
    expect(policy.Statement.map(({ Sid }) => Sid)).toEqual(['Stream', 'Streams', 'Data', 'Failures'])
  })

  it('a follower of the stream uses every permission of its policy', async () => {
    const { store, write } = await campusTable()
    const { consumer: policy } = policiesOf(layout(campus))
    const used = new Used()
    const allowed = permitted(store, policy, { used })
    await write(() => followed(allowed))
    const right = consumer(campus, allowed)
    const fails = async (records: readonly ChangeRecord[]) => ({
      ...{ applied: 0, skipped: 0 },
      failures: records.map(record => ({ record, error: 'a fault of ours' })),
    })
    await write(() => followed(allowed, { ...right, handle: fails }))
    expect((await replay(campus, allowed)).failures).toEqual([])
    expect(used.unused(policy)).toEqual([])
  })
})

it('a follower may read a replaced stream to its end', async () => {
  const { store, g } = await campusTable()
  const arnOf = async () => (await store.describeTable({ TableName: 'campus' })).Table!.LatestStreamArn!
  const policyOf = async () => policiesOf(layout(campus), {}, await arnOf()).consumer
  await followed(permitted(store, await policyOf()))
  await g.student.put({ id: 's1', name: 'Tom' })
  await g.takes.put({ course: 'Algebra', student: 's1' })
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const
  await store.updateTable({ TableName: 'campus', StreamSpecification: { StreamEnabled: false } })
  await store.updateTable({ TableName: 'campus', StreamSpecification })
  await followed(permitted(store, await policyOf()))
  expect((await g.course.get('Algebra'))?.students).toBe(1)
})

import { expect, it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { changes, follow, lambdaHandler } from '../../src/derive/index.js'
import { recordToJson } from '../../src/derive/record-json.js'
import { consumer } from '../../src/derive/settle/consumer.js'
import type { ChangeRecord } from '../../src/dynamodb/operation-types.js'
import { open } from '../../src/index.js'
import { campus } from '../derive/in-process/campus.js'
import { embedded, localClient } from './local-client.js'

const store = () => embedded(dynamodb({ client: localClient() }))
const QUICK = { pollMs: 50, visibleMs: 500, create: true }

async function enrol(g: Awaited<ReturnType<typeof opened>>, ids: readonly string[]) {
  for (const id of ids) {
    await g.student.put({ id, name: `Student ${id}` })
    await g.takes.put({ course: 'Math', student: id })
  }
}

const opened = (on: ReturnType<typeof store>) => open(campus, on)

it("consecutive followers of DynamoDB Local's streams keep counters and copies up to date from the checkpoint", async () => {
  const local = store()
  const g = await opened(local)
  await g.course.put({ title: 'Math' })
  const first = await follow(campus, local, QUICK)
  await enrol(g, ['a', 'b', 'c'])
  await first.settled()
  expect((await g.course.get('Math', { consistent: true }))?.students).toBe(3)
  await first.stop()

  await enrol(g, ['d'])
  await g.student.update('a', { name: 'Ann' })
  await g.takes.delete({ course: 'Math', student: 'b' })
  const seen: ChangeRecord[] = []
  const second = await follow(campus, local, { ...QUICK, records: records => void seen.push(...records) })
  await second.settled()
  expect((await g.course.get('Math', { consistent: true }))?.students).toBe(3)
  const takes = await g.takes.by.course('Math').consistent().all()
  expect(takes.map(({ name }) => name)).toEqual(['Ann', 'Student c', 'Student d'])
  expect(second.stats()).toMatchObject({ failed: 0, deadLettered: 0, gaps: [], shards: 1 })
  const told = changes(campus, seen, { derived: 'leave-out' }).map(({ type, change }) => `${type} ${change}`)
  expect(told).toEqual(['student created', 'takes created', 'student updated', 'takes deleted'])
  await second.stop()
})

it("a Lambda handler keeps counters and copies up to date from DynamoDB Local's records", async () => {
  const local = store()
  const g = await opened(local)
  await g.course.put({ title: 'Math' })
  await enrol(g, ['a', 'b'])
  const StreamArn = (await local.describeTable({ TableName: 'campus' })).Table!.LatestStreamArn!
  const { StreamDescription } = await local.describeStream({ StreamArn })
  const handler = lambdaHandler(consumer(campus, local))
  for (const { ShardId } of StreamDescription!.Shards!) {
    const given = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' } as const
    const { ShardIterator } = await local.getShardIterator(given)
    const { Records = [] } = await local.getRecords({ ShardIterator: ShardIterator! })
    const event = { Records: Records.map(record => JSON.parse(recordToJson(record))) }
    expect(await handler(event)).toEqual({ batchItemFailures: [] })
  }
  expect((await g.course.get('Math', { consistent: true }))?.students).toBe(2)
})

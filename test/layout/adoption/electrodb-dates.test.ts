import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity } from 'electrodb'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { day, fixedText, graph, layout, node, open, string, yearMonth } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'
import { assertLayout } from '../../../src/layout/index.js'
import { createTableInput } from '../../../src/table/index.js'
import { clientOver } from './sdk-client.js'

const visit = node(
  'visit',
  { clinic: string(), on: day(), at: fixedText('00:00'), patient: string(), month: yearMonth() },
  {
    id: ['clinic', 'on', 'at', 'patient'],
    by: {
      clinic: { in: ['clinic'], order: ['on', 'at', 'patient'] },
      month: { in: ['patient'], order: ['month', 'clinic', 'on', 'at'] },
    },
  },
)

/** A table of ElectroDB with days, times and months in the middle of its keys. */
const clinics = layout(graph('clinics', [visit]), {
  table: { keys: ['pk', 'sk'] },
  indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] } },
  raw: { fold: 'lower' },
  type: '__edb_e__',
  marks: { visit: { __edb_v__: '1' } },
  keys: {
    visit: {
      pk: '$clinics#clinic_{clinic}',
      sk: '$visit_1#on_{on}#at_{at}#patient_{patient}',
      gsi1pk: '$clinics#patient_{patient}',
      gsi1sk: '$visit_1#month_{month}#clinic_{clinic}#on_{on}#at_{at}',
    },
  },
})

const text = { type: 'string', required: true } as const

async function opened() {
  const store = memory()
  await store.createTable(createTableInput(clinics.design, { table: 'clinics' }))
  const client = DynamoDBDocumentClient.from(clientOver(store))
  const visits = new Entity(
    {
      model: { service: 'clinics', entity: 'visit', version: '1' },
      attributes: { clinic: text, on: text, at: text, patient: text, month: text },
      indexes: {
        own: {
          pk: { field: 'pk', composite: ['clinic'] },
          sk: { field: 'sk', composite: ['on', 'at', 'patient'] },
        },
        months: {
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['patient'] },
          sk: { field: 'gsi1sk', composite: ['month', 'clinic', 'on', 'at'] },
        },
      },
    },
    { client, table: 'clinics' },
  )
  return { g: await open(clinics, store), visits }
}

const rowOf = (on: string, at: string, patient = 'Ann') => ({
  clinic: 'North',
  on,
  at,
  patient,
  month: on.slice(0, 7),
})
const DAYS = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01']

it('an ElectroDB table with days, times and months in its keys is read by ranges of them', async () => {
  assertLayout(clinics)
  const { g, visits } = await opened()
  for (const on of DAYS) for (const at of ['09:00', '17:30']) await visits.put(rowOf(on, at)).go()
  const north = g.visit.by.clinic({ clinic: 'North' })

  const january = await north.where({ on: { from: '2026-01-01', to: '2026-01-31' } }).all()
  const theirs = await visits.query
    .own({ clinic: 'North' })
    .between({ on: '2026-01-01' }, { on: '2026-01-31', at: '99:99' })
    .go()
  expect(january).toEqual(theirs.data)
  expect(january.map(({ on, at }) => `${on} ${at}`)).toEqual([
    '2026-01-01 09:00',
    '2026-01-01 17:30',
    '2026-01-31 09:00',
    '2026-01-31 17:30',
  ])
  expect((await north.where({ on: { from: '2026-02-28' } }).all()).map(({ on }) => on)).toEqual([
    '2026-02-28',
    '2026-02-28',
    '2026-03-01',
    '2026-03-01',
  ])
  expect(await north.where({ on: { to: '2025-12-30' } }).all()).toEqual([])
  expect((await north.where({ on: '2026-01-01', at: { from: '10:00' } }).all()).map(({ at }) => at)).toEqual(['17:30'])
  expect(await north.where({ on: { startsWith: '2026-02' } }).all()).toHaveLength(4)
  const months = g.visit.by.month({ patient: 'Ann' }).where({ month: { from: '2026-01', to: '2026-02' } })
  expect((await months.all()).map(({ on }) => on)).toEqual(DAYS.slice(1, 5).flatMap(on => [on, on]))

  await g.visit.create(rowOf('2026-01-15', '12:00', 'Bob'))
  expect((await visits.query.own({ clinic: 'North' }).begins({ on: '2026-01-15' }).go()).data).toHaveLength(1)
})

it('an invalid calendar day is rejected before a request is sent, and verify finds it if another program wrote it', async () => {
  const { g, visits } = await opened()
  await expect(g.visit.create(rowOf('2026-02-30', '09:00'))).rejects.toMatchObject({ code: 'value.day' })
  const byMonthText = g.visit.by.clinic({ clinic: 'North' }).where({ on: { from: '2026-02' } })
  await expect(byMonthText.all()).rejects.toMatchObject({ code: 'value.day' })
  await visits.put(rowOf('2026-02-30', '09:00')).go()
  expect((await verify(g)).faults).toEqual({ 'item.unreadable': 1 })
})

const anyDay = fc
  .date({ min: new Date('2025-12-25'), max: new Date('2026-03-05'), noInvalidDate: true })
  .map(at => at.toISOString().slice(0, 10))

it('a range over days in the middle of a raw key finds the same rows as a filter over all of them', async () => {
  const { g, visits } = await opened()
  const written = new Set<string>()
  const north = g.visit.by.clinic({ clinic: 'North' })
  const check = async (days: readonly string[], from: string, to: string) => {
    for (const on of days) await visits.put(rowOf(on, '09:00')).go()
    for (const on of days) written.add(on)
    const found = (await north.where({ on: { from, to } }).all()).map(({ on }) => on)
    expect(found).toEqual([...written].filter(on => from <= on && on <= to).sort())
  }
  await fc.assert(fc.asyncProperty(fc.array(anyDay, { maxLength: 3 }), anyDay, anyDay, check), { numRuns: 40 })
})

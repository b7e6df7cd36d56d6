import { describe, expect, it } from 'vitest'
import { openBatch, runJob, sqlJob } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { bigint, date, decimal, graph, integer, list, map, node, open, string, summary } from '../../src/index.js'

const user = node(
  'user',
  {
    id: string(),
    huge: summary(bigint()),
    exact: summary(decimal()),
    parts: summary(map({ a: integer().optional() })),
    words: summary(list(string())),
    at: summary(date()),
    rank: summary(),
    level: summary(integer()),
  },
  { id: 'id' },
)
const values = graph('values', [user])

/** Runs a query of columns as a job, each time with data of an hour later. */
async function jobs() {
  const store = memory()
  let nowMs = Date.parse('2026-11-01T00:00:00Z')
  const g = await open(values, store, { clock: () => nowMs })
  await g.user.put({ id: 'ann' })
  const run = async (columns: Readonly<Record<string, string>>) => {
    nowMs += 3_600_000
    await using data = await openBatch(values, { from: { store }, clock: () => nowMs, threads: 1 })
    const names = Object.keys(columns)
    const selected = names.map(name => `${columns[name]} AS ${name}`).join(', ')
    const into = Object.fromEntries(names.map(name => [name, name]))
    return await runJob(g, data, sqlJob({ name: 'job', type: 'user', into, sql: `SELECT id, ${selected} FROM "user"` }))
  }
  return { run, row: () => g.user.get('ann') }
}

describe('a summary is written', () => {
  it('if a bigint or a decimal changed in digits that a DOUBLE does not have', async () => {
    const { run, row } = await jobs()
    await run({ huge: '12345678901234567890', exact: "'12345678901234567890.1'" })
    expect(await run({ huge: '12345678901234567891', exact: "'12345678901234567890.2'" })).toMatchObject({ written: 1 })
    expect(await row()).toEqual({ id: 'ann', huge: 12345678901234567891n, exact: '12345678901234567890.2' })
    expect(await run({ huge: '12345678901234567891', exact: "'12345678901234567890.20'" })).toMatchObject({
      changed: 0,
    })
  })

  it('as a number if the result has it as text', async () => {
    const { run, row } = await jobs()
    await run({ rank: "'1.5'", level: "'7'" })
    expect(await row()).toEqual({ id: 'ann', rank: 1.5, level: 7 })
    expect(await run({ rank: "'1.5'", level: "'7'" })).toMatchObject({ changed: 0 })
  })
})

it('a summary of any kind is removed if the result is NULL', async () => {
  const { run, row } = await jobs()
  const full = { parts: `'{"a":1}'::JSON`, words: "['q']", at: "TIMESTAMP '2026-01-01 00:00:00'", rank: '1' }
  await run(full)
  expect(await row()).toEqual({ id: 'ann', parts: { a: 1 }, words: ['q'], at: new Date('2026-01-01'), rank: 1 })
  for (const name of Object.keys(full)) expect(await run({ [name]: 'NULL' })).toMatchObject({ written: 1 })
  expect(await row()).toEqual({ id: 'ann' })
})

it.each(["'NaN'::DOUBLE", "'Infinity'::DOUBLE", "'many'"])(
  'an error names the row of a value that is not accepted: %s',
  async value => {
    const { run } = await jobs()
    await expect(run({ rank: value })).rejects.toMatchObject({
      code: 'batch.job',
      message: expect.stringMatching(
        /^job 'job': the row 'user#ann' '#' has an invalid value: rank: .*; correct the SQL\.$/,
      ),
    })
  },
)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, type GraphError, graph, integer, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const person = node('person', { id: string(), salary: integer(), staff: counter(), payroll: counter() }, { id: 'id' })
const reports = edge(
  'reports',
  { report: person, manager: person },
  {},
  {
    one: 'report',
    tree: true,
    carry: {
      salary: { from: 'report.salary', sync: 'eventual' },
      staff: { from: 'report.staff', sync: 'eventual' },
      payroll: { from: 'report.payroll', sync: 'eventual' },
    },
    count: { manager: { into: 'staff', by: 'stream' } },
    sum: {
      manager: [
        { into: 'staff', of: 'staff', by: 'stream' },
        { into: 'payroll', of: 'salary', by: 'stream' },
        { into: 'payroll', of: 'payroll', by: 'stream' },
      ],
    },
  },
)
const company = graph('company', [person, reports])

interface Staff {
  readonly salaries: Map<string, number>
  readonly managers: Map<string, string>
}

function below({ managers }: Staff, id: string): string[] {
  const direct = [...managers].filter(([, manager]) => manager === id).map(([report]) => report)
  return direct.flatMap(report => [report, ...below({ managers } as Staff, report)])
}

const step = (id: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('attach' as const), report: id, manager: id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('detach' as const), report: id }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pay' as const), id, salary: fc.integer({ min: 0, max: 99 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  )

test('the stream keeps the number and the sum of everyone below, however they are moved', async () => {
  const id = fc.integer({ min: 0, max: 7 }).map(String)
  await fc.assert(
    fc.asyncProperty(fc.array(step(id), { maxLength: 30 }), async steps => {
      const g = await open(company, memory())
      const model: Staff = { salaries: new Map(), managers: new Map() }
      for (let i = 0; i < 8; i++) {
        model.salaries.set(String(i), i + 1)
        await g.person.put({ id: String(i), salary: i + 1 })
      }
      for (const each of steps)
        switch (each.kind) {
          case 'attach':
            try {
              await g.reports.put({ report: each.report, manager: each.manager })
              model.managers.set(each.report, each.manager)
            } catch (error) {
              expect((error as GraphError).code).toBe('tree.cycle')
              expect([each.report, ...below(model, each.report)]).toContain(each.manager)
            }
            break
          case 'detach': {
            const manager = model.managers.get(each.report)
            if (manager !== undefined) await g.reports.delete({ report: each.report, manager })
            model.managers.delete(each.report)
            break
          }
          case 'pay':
            model.salaries.set(each.id, each.salary)
            await g.person.update(each.id, { salary: each.salary })
            break
          case 'settle':
            await g.$settled()
        }
      await g.$settled()
      for (const row of await g.person.scan().all()) {
        const all = below(model, row.id)
        const payroll = all.reduce((sum, one) => sum + model.salaries.get(one)!, 0)
        expect([row.id, row.staff, row.payroll]).toEqual([row.id, all.length, payroll])
      }
      expect((await verify(g)).faults).toEqual({})
      await g.$close()
    }),
    { numRuns: 40 },
  )
})

test('a chain of 30 is counted to its root, and damage to one level is repaired on all', async () => {
  const store = memory()
  const g = await open(company, store)
  const ids = Array.from({ length: 31 }, (_, i) => `p${i}`)
  for (const id of ids) await g.person.put({ id, salary: 1 })
  for (const [i, manager] of ids.slice(0, -1).entries()) await g.reports.put({ report: ids[i + 1]!, manager })
  const counts = async () => (await g.person.many(ids)).map(row => [row?.staff, row?.payroll])
  const expected = ids.map((_, i) => [30 - i, 30 - i])
  await g.$settled()
  expect(await counts()).toEqual(expected)
  await store.updateItem({
    TableName: 'company',
    Key: { PK: { S: 'person#p20' }, SK: { S: '#' } },
    UpdateExpression: 'SET staff = :n',
    ExpressionAttributeValues: { ':n': { N: '77' } },
  })
  await g.$settled()
  expect((await verify(g)).faults).not.toEqual({})
  await repair(g)
  await g.$settled()
  expect(await counts()).toEqual(expected)
  expect((await verify(g)).faults).toEqual({})
  await g.$close()
})

test('a subtree of any size is moved by one put, and the consumer writes as much as the levels above need', async () => {
  const written = await Promise.all(
    [1, 40].map(async size => {
      const store = memory()
      const g = await open(company, store)
      const ids = ['root', 'a', 'b', 'sub', ...Array.from({ length: size }, (_, i) => `s${i}`)]
      await g.$batch(ids.map(id => g.person.put({ id, salary: 1 })))
      for (const report of ['a', 'b']) await g.reports.put({ report, manager: 'root' })
      await g.reports.put({ report: 'sub', manager: 'a' })
      for (const report of ids.slice(4)) await g.reports.put({ report, manager: 'sub' })
      await g.$settled()
      const before = (await store.followStats('company'))!.applied
      await g.reports.put({ report: 'sub', manager: 'b' })
      await g.$settled()
      expect((await g.person.many(['root', 'a', 'b'])).map(row => row?.staff)).toEqual([size + 3, 0, size + 1])
      const { applied } = (await store.followStats('company'))!
      await g.$close()
      return applied - before
    }),
  )
  expect(written[1]).toBe(written[0])
})

import { expect, it } from 'vitest'
import { openBatch, pageRank, runJob } from '../../../src/batch/index.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string, summary } from '../../../src/index.js'
import { batchPolicy } from '../../../src/table/production/batch-policies.js'
import type { PolicyDocument } from '../../../src/table/production/policies.js'
import { resolveProduction } from '../../../src/table/production/production.js'
import { permitted, Used } from './policy-evaluator.js'

const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user })
const social = graph('social', [user, follow])

const TABLE = 'arn:aws:dynamodb:us-east-1:123456789012:table/social'

/** The part of a batch's policy that is about the table. */
function tablePolicy(writeBack: boolean): PolicyDocument {
  const { design } = layout(social)
  const policy = batchPolicy(design, resolveProduction(design, { batch: { bucket: 'exports', writeBack } }), {
    ...{ table: TABLE, application: '', applicationId: '', role: '', scheduleGroup: '' },
    bucket: path => `arn:aws:s3:::exports/${path}`,
    operation: name => name,
  })
  const statements = policy.Statement.filter(({ Action }) => Action.some(action => action.startsWith('dynamodb:')))
  return { ...policy, Statement: statements }
}

/** A graph whose calls are restricted after it was opened: the program of a batch opens no graph. */
async function restrictedGraph(policy: PolicyDocument, used: Used) {
  const store = memory()
  let current = store
  const switched = new Proxy(store, {
    get: (_, name) => {
      const member = Reflect.get(current, name)
      return typeof member === 'function' ? member.bind(current) : member
    },
  })
  const g = await open(social, switched)
  for (const id of ['ann', 'bob', 'cy']) await g.user.put({ id })
  await g.follow.put({ follower: 'ann', followed: 'bob' })
  const data = await openBatch(social, { from: { store } })
  current = permitted(store, policy, { used })
  return { g, data, unrestricted: await open(social, store) }
}

it('a job that writes back uses every permission on the table that the batch has', async () => {
  const policy = tablePolicy(true)
  const used = new Used()
  const { g, data, unrestricted } = await restrictedGraph(policy, used)
  const job = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
  expect(await runJob(g, data, job)).toMatchObject({ changed: 3, written: 3, ranBefore: false })
  expect(await runJob(g, data, job)).toMatchObject({ written: 0, ranBefore: true })
  data.close()
  expect((await unrestricted.user.get('bob'))?.rank).toBeGreaterThan(0)
  expect(used.unused(policy)).toEqual([])
  // The records of runs are the only items that it may read.
  await expect(g.user.get('bob')).rejects.toThrow('not authorized')
  await expect(g.user.delete('bob')).rejects.toThrow('not authorized')
})

it('a batch without write-back has no permission on the table', () => {
  expect(tablePolicy(false).Statement).toEqual([])
})

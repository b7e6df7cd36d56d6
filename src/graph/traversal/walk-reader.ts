import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { ConsumedCapacity } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import { chunksOf } from '../../plan/chunks.js'
import { typeByName } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import { readPrice } from '../../plan/price/read-price.js'
import { answerOf, type RowPage } from '../../plan/read/answer.js'
import type { ReadResponse } from '../../plan/read/entries.js'
import { planMany } from '../../plan/read/item.js'
import { nextRequests, type StepRequest } from '../../plan/read/next-requests.js'
import { planPath } from '../../plan/read/path.js'
import type { PlainRow } from '../../plan/row.js'
import type { BudgetUsage } from '../../traverse/budget-usage.js'
import { counterOf, keyEncoderOf, reachedIdOf, startOfHop } from '../../traverse/hop.js'
import type { Lists, Need, Neighbor, NodeRows } from '../../traverse/need.js'
import { isTestMet, type NodeTest } from '../../traverse/node-test.js'
import { storedMemberOf } from '../../traverse/stored-value.js'
import { BATCH_UNITS, type Hop, type NodeRef, PAGE_UNITS } from '../../traverse/traversal.js'
import type { TraversalCache } from '../../traverse/traversal-cache.js'
import { forEachConcurrently } from '../run/concurrency.js'
import { assertAllProcessed } from '../run/read-items.js'
import type { RequestSender } from '../run/request-sender.js'

/** The number of requests of one traversal that are in flight at once. */
const CONCURRENCY = 8

/** A read that is under way: its plan, the answers so far, and the rows of earlier plans. */
interface PendingRead {
  plan: Plan
  responses: ReadResponse[][]
  rows: readonly PlainRow[]
  /** Of a list with a limit: the limit, and the plan that reads on if rows vanished between two of its requests. */
  readonly continuation?:
    | { readonly limit: number; readonly resume: (cursor: string, limit: number) => Plan }
    | undefined
}

/** Reads what a walk needs, within a budget. What was read before is not read again. */
export class WalkReader {
  constructor(
    private readonly sender: RequestSender,
    readonly cache: TraversalCache,
    readonly usage: BudgetUsage,
    private readonly consistent: boolean,
  ) {}

  async answer(need: Exclude<Need, { readonly kind: 'reached' }>): Promise<Lists | NodeRows | boolean> {
    switch (need.kind) {
      case 'lists':
        return this.readLists(need.hop, need.nodes)
      case 'nodes':
        return this.readNodes(need.type, need.nodes, need.test)
      case 'edges':
        return this.readEdges(need.hop, need.from, need.to)
      case 'paths':
        // Paths grow without a request: timers and signals get their turn here.
        await new Promise(resolve => setTimeout(resolve, 0))
        this.sender.assertNotEnded()
        return this.usage.countPaths(need.of, need.count)
    }
  }

  private async readLists(hop: Hop, nodes: readonly NodeRef[]): Promise<Lists> {
    const { usage, cache } = this
    const { layout } = this.sender.context
    const { lists } = cache.listsOf(hop)
    const of = `${hop.type}.by.${hop.path}`
    const unread = nodes.filter(({ key }) => !lists.has(key))
    // After an incomplete wave, a further one could reach nodes by a longer way than there is.
    const isOver = usage.leftOut.length > 0
    const readings = isOver ? [] : unread.map(node => this.startListRead(hop, node))
    const nowMs = this.sender.context.environment.now()
    usage.assertWave(
      readings.reduce((sum, { plan }) => sum + plan.steps.filter(({ after }) => !after[0]).length, 0),
      of,
    )
    const done = await this.finish(readings, nowMs)
    // The rows of an owned node's list are the nodes themselves.
    const found = hop.end === undefined ? cache.nodesOf(hop.reached) : undefined
    const refs = cache.refsOf(hop.reached)
    let missing = 0
    for (const [i, node] of unread.entries()) {
      const neighbors = done[i] ? neighborsOf(layout, hop, readings[i]!.rows, refs) : undefined
      if (neighbors && usage.countList(neighbors)) {
        lists.set(node.key, { node, neighbors })
        for (const { node: reached, row } of neighbors) found?.set(reached.key, { node: reached, row })
      } else missing++
    }
    usage.recordLeftOut(of, missing)
    return nodes.map(({ key }) => lists.get(key)?.neighbors)
  }

  private async readNodes(type: string, nodes: readonly NodeRef[], test: NodeTest | undefined): Promise<NodeRows> {
    const { layout, tenant, environment } = this.sender.context
    const rows = this.cache.nodesOf(type)
    const unread = chunksOf(
      nodes.filter(({ key }) => !rows.has(key)),
      BATCH_GET_KEYS,
    )
    const readings = unread.map(chunk => {
      const ids = chunk.map(({ id }) => id)
      return pendingReadOf(planMany(layout, type, ids, { tenant, consistent: this.consistent }))
    })
    const nowMs = environment.now()
    this.usage.assertWave(readings.length, `nodes of '${type}'`)
    const done = await this.finish(readings, nowMs)
    for (const [i, chunk] of unread.entries()) {
      if (!done[i]) continue
      const { plan, responses } = readings[i]!
      const answers = answerOf(layout, plan, responses, nowMs) as (PlainRow | undefined)[]
      for (const [at, node] of chunk.entries()) rows.set(node.key, { node, row: answers[at] ?? null })
      this.usage.progress++
    }
    this.usage.recordLeftOut(
      type,
      nodes.reduce((sum, { key }) => sum + (rows.has(key) ? 0 : 1), 0),
    )
    const declared = typeByName(layout, type)
    return nodes.map(({ key }) => {
      const row = rows.get(key)?.row ?? undefined
      return row && test && !isTestMet(test, name => storedMemberOf(declared, row, name)) ? undefined : row
    })
  }

  /** Edges that their ends identify, in batches. */
  private async readEdges({ type, path, end }: Hop, from: NodeRef, to: readonly NodeRef[]): Promise<NodeRows> {
    const { layout, tenant, environment } = this.sender.context
    const nowMs = environment.now()
    const readings = chunksOf(to, BATCH_GET_KEYS).map(chunk => {
      const keys = chunk.map(({ id }) => ({ [path]: from.id, [end!]: id }))
      return pendingReadOf(planMany(layout, type, keys, { tenant, consistent: this.consistent }))
    })
    this.usage.assertWave(readings.length, type)
    const done = await this.finish(readings, nowMs)
    this.usage.recordLeftOut(type, readings.filter((_, i) => !done[i]).length)
    return readings.flatMap(
      ({ plan, responses }) => answerOf(layout, plan, responses, nowMs) as (PlainRow | undefined)[],
    )
  }

  private startListRead(hop: Hop, { id, key }: NodeRef): PendingRead {
    const { type, path, read } = hop
    const { layout, tenant, environment } = this.sender.context
    const { limit } = read
    const counter = this.usage.budget.units === undefined ? undefined : counterOf(typeByName(layout, type), path)
    const row = counter === undefined ? undefined : this.cache.nodesOf(hop.start).get(key)?.row
    // A counter of a node that was read shows what its list will take.
    const sizes = row ? { items: Number(row[counter!]) } : undefined
    const ask = { sizes, type, path, ...read, start: startOfHop(hop, id), tenant, nowMs: environment.now() }
    const resume = (cursor: string, left: number) => planPath(layout, { ...ask, limit: left, cursor })
    return pendingReadOf(planPath(layout, ask), limit === undefined ? undefined : { limit, resume })
  }

  /** Sends the requests of all readings, page by page. Returns which of them the budget allowed to finish. */
  private async finish(readings: readonly PendingRead[], nowMs: number): Promise<boolean[]> {
    const { layout } = this.sender.context
    const done: boolean[] = []
    await forEachConcurrently(readings, CONCURRENCY, async (reading, at) => {
      for (;;) {
        const requests = nextRequests(layout, reading.plan, reading.responses, nowMs)
        if (requests[0]) {
          if (!(await this.send(reading, requests))) return
        } else if (!this.continueList(reading, nowMs)) {
          done[at] = true
          return
        }
      }
    })
    return done
  }

  /** Whether a list has fewer rows than its limit because some vanished meanwhile, and there are more. */
  private continueList(reading: PendingRead, nowMs: number): boolean {
    const { plan, responses, continuation } = reading
    if (plan.answer.shape !== 'rows') return false
    const { items, cursor } = answerOf(this.sender.context.layout, plan, responses, nowMs) as RowPage
    reading.rows = reading.rows[0] ? [...reading.rows, ...(items as PlainRow[])] : (items as PlainRow[])
    const left = continuation ? continuation.limit - reading.rows.length : 0
    if (!cursor || left <= 0) return false
    reading.plan = continuation!.resume(cursor, left)
    reading.responses = reading.plan.steps.map(() => [])
    return true
  }

  private async send({ plan, responses }: PendingRead, requests: readonly StepRequest[]): Promise<boolean> {
    const { usage, sender } = this
    const expected = requests.reduce((sum, { step }) => sum + expectedUnitsOf(plan, step), 0)
    const most = requests.some(({ request }) => request.operation === 'batchGetItem') ? BATCH_UNITS : PAGE_UNITS
    const reserved = await usage.reserve(requests.length, expected, most * (this.consistent ? 2 : 1))
    if (reserved === undefined) return false
    let largest = 0
    try {
      const answers: (ReadResponse & CapacityMembers)[] = []
      await forEachConcurrently(requests, CONCURRENCY, async ({ request }, at) => {
        answers[at] = (await sender.send(request)) as ReadResponse
      })
      for (const [i, answer] of answers.entries()) {
        assertAllProcessed(answer.UnprocessedKeys)
        responses[requests[i]!.step]!.push(answer)
        for (const { CapacityUnits = 0 } of [answer.ConsumedCapacity ?? []].flat())
          largest = Math.max(largest, CapacityUnits)
      }
    } finally {
      usage.settle(reserved, largest)
    }
    return true
  }
}

interface CapacityMembers {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

const pendingReadOf = (plan: Plan, continuation?: PendingRead['continuation']): PendingRead => ({
  plan,
  responses: plan.steps.map(() => []),
  rows: [],
  continuation,
})

function neighborsOf(layout: Layout, hop: Hop, rows: readonly PlainRow[], refs: Map<string, NodeRef>): Neighbor[] {
  const [type, reached] = [typeByName(layout, hop.type), typeByName(layout, hop.reached)]
  const keyOf = keyEncoderOf(layout, reached)
  return rows.map(row => {
    const id = reachedIdOf(type, hop.end, row)
    const key = keyOf(id)
    let node = refs.get(key)
    if (!node) {
      node = { type: reached.name, id, key }
      refs.set(key, node)
    }
    return { node, row }
  })
}

/** The units that a step is expected to read. */
function expectedUnitsOf({ steps }: Plan, step: number): number {
  const { request, expected } = steps[step]!
  return Object.values(readPrice(request, expected!).read).reduce((sum, units) => sum + units, 0)
}

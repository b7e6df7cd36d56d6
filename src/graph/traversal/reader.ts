import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { ConsumedCapacity } from '../../dynamodb/operations/capacity.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { answerOf, type Page } from '../../plan/answer.js'
import { chunksOf } from '../../plan/chunks.js'
import type { Answer } from '../../plan/found.js'
import { typeOf } from '../../plan/identity.js'
import { next, type Sent } from '../../plan/next.js'
import type { Plan } from '../../plan/plan.js'
import { planMany } from '../../plan/read-item.js'
import { planPath } from '../../plan/read-path.js'
import type { Row } from '../../plan/row.js'
import { json } from '../../schema/attributes/json.js'
import { reachedId, refOf } from '../../traverse/hop.js'
import type { Known } from '../../traverse/known.js'
import type { Lists, Need, Neighbor, NodeRows } from '../../traverse/need.js'
import { matches, type NodeTest } from '../../traverse/node-test.js'
import type { Spending } from '../../traverse/spending.js'
import type { Hop, NodeRef } from '../../traverse/traversal.js'
import { inTurn } from '../in-turn.js'
import { refuseLeft } from '../reading.js'
import type { Sending } from '../sending.js'

/** The number of requests of one traversal that are in flight at once. */
const CONCURRENCY = 8

/** A read that is under way: its plan, the answers so far, and the rows of earlier plans. */
interface Reading {
  plan: Plan
  answered: Answer[][]
  rows: readonly Row[]
  /** Of a list with a limit: the limit, and the plan that reads on if rows vanished between two of its requests. */
  readonly limited?: { readonly limit: number; readonly resume: (cursor: string, limit: number) => Plan } | undefined
}

/** Reads what a walk needs, within a budget. What was read before is not read again. */
export class WalkReader {
  constructor(
    private readonly sending: Sending,
    readonly known: Known,
    readonly spending: Spending,
    private readonly consistent: boolean,
  ) {}

  async answer(need: Exclude<Need, { readonly kind: 'reached' }>): Promise<Lists | NodeRows> {
    switch (need.kind) {
      case 'lists':
        return this.lists(need.hop, need.nodes)
      case 'nodes':
        return this.nodes(need.type, need.nodes, need.test)
      case 'edges':
        return this.edges(need.hop, need.from, need.to)
    }
  }

  private async lists(hop: Hop, nodes: readonly NodeRef[]): Promise<Lists> {
    const { spending, known } = this
    const { layout } = this.sending.context
    const { lists } = known.listsOf(hop)
    const of = `${hop.type}.by.${hop.path}`
    const unread = nodes.filter(({ key }) => !lists.has(key))
    // After an incomplete wave, a further one could reach nodes by a longer way than there is.
    const isOver = spending.leftOut.length > 0
    const readings = isOver ? [] : unread.map(node => this.listReading(hop, node))
    const nowMs = this.sending.context.surroundings.now()
    spending.assertWave(
      readings.reduce((sum, { plan }) => sum + plan.steps.filter(({ after }) => !after[0]).length, 0),
      of,
    )
    const done = await this.finish(readings, nowMs)
    // The rows of an owned node's list are the nodes themselves.
    const found = hop.end === undefined ? known.nodesOf(hop.reached) : undefined
    let missing = 0
    for (const [i, node] of unread.entries()) {
      const neighbors = done[i] ? neighborsIn(layout, hop, readings[i]!.rows) : undefined
      if (neighbors && spending.absorb(neighbors)) {
        lists.set(node.key, { node, neighbors })
        for (const { node: reached, row } of neighbors) found?.set(reached.key, { node: reached, row })
      } else missing++
    }
    spending.leaveOut(of, missing)
    return nodes.map(({ key }) => lists.get(key)?.neighbors)
  }

  private async nodes(type: string, nodes: readonly NodeRef[], test: NodeTest | undefined): Promise<NodeRows> {
    const { layout, tenant, surroundings } = this.sending.context
    const rows = this.known.nodesOf(type)
    const unread = chunksOf(
      nodes.filter(({ key }) => !rows.has(key)),
      BATCH_GET_KEYS,
    )
    const readings = unread.map(chunk => {
      const ids = chunk.map(({ id }) => id)
      return readingOf(planMany(layout, type, ids, { tenant, consistent: this.consistent }))
    })
    const nowMs = surroundings.now()
    this.spending.assertWave(readings.length, `nodes of '${type}'`)
    const done = await this.finish(readings, nowMs)
    for (const [i, chunk] of unread.entries()) {
      if (!done[i]) continue
      const { plan, answered } = readings[i]!
      const answers = answerOf(layout, plan, answered, nowMs) as (Row | undefined)[]
      for (const [at, node] of chunk.entries()) rows.set(node.key, { node, row: answers[at] ?? null })
      this.spending.progress++
    }
    this.spending.leaveOut(
      type,
      nodes.reduce((sum, { key }) => sum + (rows.has(key) ? 0 : 1), 0),
    )
    const declared = typeOf(layout, type)
    return nodes.map(({ key }) => {
      const row = rows.get(key)?.row ?? undefined
      return row && test && !matches(test, name => storedIn(declared, row, name)) ? undefined : row
    })
  }

  /** Edges that their ends identify, in batches. */
  private async edges({ type, path, end }: Hop, from: NodeRef, to: readonly NodeRef[]): Promise<NodeRows> {
    const { layout, tenant, surroundings } = this.sending.context
    const nowMs = surroundings.now()
    const readings = chunksOf(to, BATCH_GET_KEYS).map(chunk => {
      const keys = chunk.map(({ id }) => ({ [path]: from.id, [end!]: id }))
      return readingOf(planMany(layout, type, keys, { tenant, consistent: this.consistent }))
    })
    this.spending.assertWave(readings.length, type)
    const done = await this.finish(readings, nowMs)
    this.spending.leaveOut(type, readings.filter((_, i) => !done[i]).length)
    return readings.flatMap(({ plan, answered }) => answerOf(layout, plan, answered, nowMs) as (Row | undefined)[])
  }

  private listReading({ type, path, read }: Hop, { id }: NodeRef): Reading {
    const { layout, tenant, surroundings } = this.sending.context
    const { limit } = read
    const ask = { type, path, ...read, given: id, tenant, nowMs: surroundings.now() }
    const resume = (cursor: string, left: number) => planPath(layout, { ...ask, limit: left, cursor })
    return readingOf(planPath(layout, ask), limit === undefined ? undefined : { limit, resume })
  }

  /** Sends the requests of all readings, page by page. Returns which of them the budget allowed to finish. */
  private async finish(readings: readonly Reading[], nowMs: number): Promise<boolean[]> {
    const { layout } = this.sending.context
    const done: boolean[] = []
    await inTurn(readings, CONCURRENCY, async (reading, at) => {
      for (;;) {
        const open = next(layout, reading.plan, reading.answered, nowMs)
        if (open[0]) {
          if (!(await this.send(reading, open))) return
        } else if (!this.readOn(reading, nowMs)) {
          done[at] = true
          return
        }
      }
    })
    return done
  }

  /** Whether a list has fewer rows than its limit because some vanished meanwhile, and there are more. */
  private readOn(reading: Reading, nowMs: number): boolean {
    const { plan, answered, limited } = reading
    if (plan.answer.shape !== 'rows') return false
    const { items, cursor } = answerOf(this.sending.context.layout, plan, answered, nowMs) as Page
    reading.rows = reading.rows[0] ? [...reading.rows, ...(items as Row[])] : (items as Row[])
    const left = limited ? limited.limit - reading.rows.length : 0
    if (!cursor || left <= 0) return false
    reading.plan = limited!.resume(cursor, left)
    reading.answered = reading.plan.steps.map(() => [])
    return true
  }

  private async send({ plan, answered }: Reading, open: readonly Sent[]): Promise<boolean> {
    const { spending, sending } = this
    const expected = open.reduce((sum, { step }) => sum + unitsOf(plan, step), 0)
    const reserved = spending.take(open.length, expected)
    if (reserved === undefined) return false
    let largest = 0
    try {
      const answers: (Answer & Metered)[] = []
      await inTurn(open, CONCURRENCY, async ({ request }, at) => {
        answers[at] = (await sending.send(request)) as Answer
      })
      for (const [i, answer] of answers.entries()) {
        refuseLeft(answer.UnprocessedKeys)
        answered[open[i]!.step]!.push(answer)
        for (const { CapacityUnits = 0 } of [answer.ConsumedCapacity ?? []].flat())
          largest = Math.max(largest, CapacityUnits)
      }
    } finally {
      spending.settle(reserved, largest)
    }
    return true
  }
}

interface Metered {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

const readingOf = (plan: Plan, limited?: Reading['limited']): Reading => ({
  plan,
  answered: plan.steps.map(() => []),
  rows: [],
  limited,
})

function neighborsIn(layout: Layout, hop: Hop, rows: readonly Row[]): Neighbor[] {
  const [type, reached] = [typeOf(layout, hop.type), typeOf(layout, hop.reached)]
  return rows.map(row => ({ node: refOf(reached, reachedId(type, hop.end, row)), row }))
}

/** The units that a step is expected to read. */
const unitsOf = (plan: Plan, step: number): number =>
  Object.values(plan.steps[step]!.price.read).reduce((sum, units) => sum + units, 0)

const ANYTHING = json().declared

/** The stored value of a member of a row, as a filter of DynamoDB would see it. */
function storedIn(type: DeclaredType, row: Row, name: string) {
  const value = row[name]
  if (value === undefined) return undefined
  const attribute = type.attributes[name]!
  return (attribute.kind === 'validated' ? ANYTHING : attribute).encode(value, `${type.name}.${name}`)
}

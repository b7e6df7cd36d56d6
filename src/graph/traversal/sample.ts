import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import { type DeclaredType, TENANT_SLOT } from '../../layout/slots.js'
import type { Answer } from '../../plan/found.js'
import { ownKind } from '../../plan/identity.js'
import { referencesOf } from '../../plan/members.js'
import type { Plan } from '../../plan/plan.js'
import { planPath } from '../../plan/read-path.js'
import { isLive, rowOf, valuesOf } from '../../plan/row.js'
import { isCount, shown } from '../../schema/refusal.js'
import type { Degree } from '../../traverse/explain.js'
import { reachedId, refOf } from '../../traverse/hop.js'
import type { NodeRef } from '../../traverse/traversal.js'
import { GraphCall } from '../call.js'
import type { Context } from '../context.js'
import { given, optionsOf } from '../given.js'
import { inTurn } from '../in-turn.js'
import type { Sending } from '../sending.js'

const CONCURRENCY = 8
const DEFAULT_REQUESTS = 100
const DEFAULT_NODES = 10
/** Parts of the table among which a sample of a large one is drawn. */
const SEGMENTS = 10_000
/** The share of the requests that looks for nodes. */
const SCANS_SHARE = 0.2

export interface SampleOptions {
  readonly requests?: number
  readonly nodes?: number
}

export interface SampledDegree extends Degree {
  /** The number of nodes that were counted, and the most edges that one of them had. */
  readonly sampled: number
  readonly largest: number
}

/** Counts the edges of some nodes of each type on each path. It stores nothing. */
export function sampleCall(context: Context, options?: SampleOptions): GraphCall<Record<string, SampledDegree>> {
  const { requests = DEFAULT_REQUESTS, nodes = DEFAULT_NODES } = optionsOf('$sample', options, 'requests, nodes')
  given(isCount(requests) && requests > 1, `requests is a whole number from 2, instead of ${shown(requests)}`)
  given(isCount(nodes), `nodes is a whole number from 1, instead of ${shown(nodes)}`)
  return new GraphCall(context, {
    name: '$sample',
    takes: 'signal, deadlineMs, caps',
    plan: () => ({ steps: [scanStep(context)], answer: { shape: 'nothing' } }),
    run: sending => sampled(sending, requests, nodes),
  })
}

function scanStep({ layout }: Context): Plan['steps'][number] {
  const input = { TableName: layout.design.name, Limit: BATCH_GET_KEYS }
  const price = { requests: 1, read: { table: 0.5 }, write: {}, consistency: 'eventual' as const }
  return { id: 0, after: [], request: { operation: 'scan', input }, price }
}

async function sampled(sending: Sending, requests: number, most: number): Promise<Record<string, SampledDegree>> {
  const { layout, tenant, surroundings } = sending.context
  const found = await someNodes(sending, Math.max(1, Math.floor(requests * SCANS_SHARE)), most)
  // One node of each path first: where the requests end, every path has some.
  const counts = new Map<string, number[]>()
  const tasks = pathsOf(sending.context).flatMap(({ type, path, start }) =>
    (found.get(start.name) ?? []).map((node, round) => ({ type, path, node, round })),
  )
  tasks.sort((a, b) => a.round - b.round)
  let taken = sending.requests
  await inTurn(tasks, CONCURRENCY, async ({ type, path, node }) => {
    const nowMs = surroundings.now()
    const plan = planPath(layout, { type: type.name, path, given: node.id, tenant, count: true, nowMs })
    const first = plan.steps.filter(({ after }) => !after[0])
    taken += first.length
    if (taken > requests) return
    // A list of several pages is counted by its first ones: the number of requests is bounded.
    let count = 0
    for (const { request } of first) count += ((await sending.send(request)) as Answer).Count ?? 0
    const of = `${type.name}.by.${path}`
    counts.set(of, [...(counts.get(of) ?? []), count])
  })
  const degrees = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    degrees.map(([of, all]) => [
      of,
      { mean: all.reduce((sum, count) => sum + count, 0) / all.length, sampled: all.length, largest: Math.max(...all) },
    ]),
  )
}

/** The paths that a traversal can follow. */
function pathsOf({ layout }: Context): { type: DeclaredType; path: string; start: DeclaredType }[] {
  return layout.accesses.flatMap(({ type, name, kind }) => {
    const reference = kind.role === 'unique' ? undefined : referencesOf(type).find(each => each.name === name)
    return reference ? [{ type, path: name, start: reference.node }] : []
  })
}

/** Some nodes of each type: all of a small table, or those of random parts of a large one. */
async function someNodes(sending: Sending, scans: number, most: number): Promise<Map<string, NodeRef[]>> {
  const { context } = sending
  const { layout, surroundings } = context
  const found = new Map<string, Map<string, NodeRef>>()
  const isEnough = () => layout.graph.declared.nodes.every(({ name }) => (found.get(name)?.size ?? 0) >= most)
  for (let at = 0; at < scans && !isEnough(); at++) {
    const [high = 0, low = 0] = surroundings.random(2)
    const part = at === 0 ? {} : { Segment: (high * 256 + low) % SEGMENTS, TotalSegments: SEGMENTS }
    const request = { operation: 'scan' as const, input: { ...scanStep(context).request.input, ...part } }
    const { Items = [], LastEvaluatedKey } = (await sending.send(request)) as {
      Items?: Item[]
      LastEvaluatedKey?: object
    }
    for (const item of Items) {
      const node = nodeIn(context, item)
      if (!node) continue
      const nodes = found.get(node.type) ?? new Map<string, NodeRef>()
      found.set(node.type, nodes)
      if (nodes.size < most) nodes.set(node.key, node)
    }
    if (at === 0 && !LastEvaluatedKey) break
  }
  return new Map([...found].map(([type, nodes]) => [type, [...nodes.values()]]))
}

/** The node that an item is, if it is one of this tenant that exists. */
function nodeIn({ layout, tenant, surroundings }: Context, item: Item): NodeRef | undefined {
  const mark = item[layout.names.type]?.S
  const type = layout.graph.declared.nodes.find(each => ownKind(layout, each).mark === mark)
  if (!type || !isLive(layout, item, surroundings.now())) return undefined
  const kind = ownKind(layout, type)
  try {
    if (tenant !== undefined && valuesOf(layout, kind, item)[TENANT_SLOT]?.S !== tenant) return undefined
    return refOf(type, reachedId(type, undefined, rowOf(layout, kind, item)))
  } catch {
    // An item that cannot be read is not a sample.
    return undefined
  }
}

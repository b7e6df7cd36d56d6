import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { Reference } from '../../layout/row-members.js'
import { type DeclaredType, TENANT_SLOT } from '../../layout/slots.js'
import { ownKindOf } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import { ASSUMED_SIZES } from '../../plan/price/read-price.js'
import type { ReadResponse } from '../../plan/read/entries.js'
import { planPath } from '../../plan/read/path.js'
import { isLive, type PlainRow, rowOf, valuesOf } from '../../plan/row.js'
import { counterOf, nodeRefOf, reachedIdOf, startOfHop, startReferenceOf } from '../../traverse/hop.js'
import type { NodeRef } from '../../traverse/traversal.js'
import type { Degree } from '../../traverse/wave-estimates.js'
import { assertInteger, parseOptions } from '../arguments.js'
import { GraphCall } from '../calls/call.js'
import type { Context } from '../context.js'
import { forEachConcurrently } from '../run/concurrency.js'
import type { RequestSender } from '../run/request-sender.js'

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

/** Counts the edges of some nodes of each type on each path; a counter of the edges is read instead. It stores nothing. */
export function createSampleCall(context: Context, options?: SampleOptions): GraphCall<Record<string, SampledDegree>> {
  const { requests = DEFAULT_REQUESTS, nodes = DEFAULT_NODES } = parseOptions('$sample', options, 'requests, nodes')
  assertInteger(requests, 'requests', 2)
  assertInteger(nodes, 'nodes')
  return new GraphCall(context, {
    name: '$sample',
    runOptionNames: 'signal, deadlineMs, caps',
    plan: () => ({ steps: [scanStep(context)], answer: { shape: 'nothing' } }),
    run: sender => sampleDegrees(sender, requests, nodes),
  })
}

function scanStep({ layout }: Context): Plan['steps'][number] {
  const input = { TableName: layout.design.name, Limit: BATCH_GET_KEYS }
  const expected = { items: 1, itemBytes: ASSUMED_SIZES.itemBytes, consistency: 'eventual' } as const
  return { id: 0, after: [], request: { operation: 'scan', input }, expected }
}

async function sampleDegrees(
  sender: RequestSender,
  requests: number,
  maxNodes: number,
): Promise<Record<string, SampledDegree>> {
  const { layout, tenant, environment } = sender.context
  const nodesByType = await scanForNodes(sender, Math.max(1, Math.floor(requests * SCANS_SHARE)), maxNodes)
  // One node of each path first: where the requests end, every path has some.
  const counts = new Map<string, number[]>()
  const tasks = traversablePaths(sender.context).flatMap(({ type, path, reference }) =>
    (nodesByType.get(reference.node.name) ?? []).map((node, round) => ({ type, path, reference, node, round })),
  )
  tasks.sort((a, b) => a.round - b.round)
  let plannedRequests = sender.requests
  const addCount = (of: string, count: number) => counts.set(of, [...(counts.get(of) ?? []), count])
  await forEachConcurrently(tasks, CONCURRENCY, async ({ type, path, reference, node }) => {
    const of = `${type.name}.by.${path}`
    const counter = counterOf(type, path)
    if (counter !== undefined) {
      addCount(of, Number(node.row[counter]))
      return
    }
    const nowMs = environment.now()
    const start = startOfHop({ owner: reference.name === path ? undefined : reference.name }, node.ref.id)
    const plan = planPath(layout, { type: type.name, path, start, tenant, count: true, nowMs })
    const first = plan.steps.filter(({ after }) => !after[0])
    plannedRequests += first.length
    if (plannedRequests > requests) return
    // A list of several pages is counted by its first ones: the number of requests is bounded.
    let count = 0
    for (const { request } of first) count += ((await sender.send(request)) as ReadResponse).Count ?? 0
    addCount(of, count)
  })
  const degrees = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    degrees.map(([of, counts]) => [
      of,
      {
        mean: counts.reduce((sum, count) => sum + count, 0) / counts.length,
        sampled: counts.length,
        largest: Math.max(...counts),
      },
    ]),
  )
}

interface FoundNode {
  readonly ref: NodeRef
  readonly row: PlainRow
}

/** The paths that a traversal can follow. */
function traversablePaths({ layout }: Context): { type: DeclaredType; path: string; reference: Reference }[] {
  return layout.accesses.flatMap(access => {
    const { type, name, kind } = access
    const reference = kind.role === 'unique' ? undefined : startReferenceOf(access)
    return reference ? [{ type, path: name, reference }] : []
  })
}

/** Some nodes of each type: all of a small table, or those of random parts of a large one. */
async function scanForNodes(sender: RequestSender, scans: number, maxNodes: number): Promise<Map<string, FoundNode[]>> {
  const { context } = sender
  const { layout, environment } = context
  const found = new Map<string, Map<string, FoundNode>>()
  const isEnough = () => layout.graph.declared.nodes.every(({ name }) => (found.get(name)?.size ?? 0) >= maxNodes)
  for (let at = 0; at < scans && !isEnough(); at++) {
    const [high = 0, low = 0] = environment.random(2)
    const segment = at === 0 ? {} : { Segment: (high * 256 + low) % SEGMENTS, TotalSegments: SEGMENTS }
    const request = { operation: 'scan' as const, input: { ...scanStep(context).request.input, ...segment } }
    const { Items = [], LastEvaluatedKey } = (await sender.send(request)) as {
      Items?: Item[]
      LastEvaluatedKey?: object
    }
    for (const item of Items) {
      const node = nodeFrom(context, item)
      if (!node) continue
      const { type, key } = node.ref
      const nodes = found.get(type) ?? new Map<string, FoundNode>()
      found.set(type, nodes)
      if (nodes.size < maxNodes) nodes.set(key, node)
    }
    if (at === 0 && !LastEvaluatedKey) break
  }
  return new Map([...found].map(([type, nodes]) => [type, [...nodes.values()]]))
}

/** The node that an item is, if it is one of this tenant that exists. */
function nodeFrom({ layout, tenant, environment }: Context, item: Item): FoundNode | undefined {
  const mark = item[layout.names.type]?.S
  const type = layout.graph.declared.nodes.find(each => ownKindOf(layout, each).typeMark === mark)
  if (!type || !isLive(layout, item, environment.now())) return undefined
  const kind = ownKindOf(layout, type)
  try {
    if (tenant !== undefined && valuesOf(layout, kind, item)[TENANT_SLOT]?.S !== tenant) return undefined
    const row = rowOf(layout, kind, item)
    return { ref: nodeRefOf(layout, type, reachedIdOf(type, undefined, row)), row }
  } catch {
    // An item that cannot be read is not a sample.
    return undefined
  }
}

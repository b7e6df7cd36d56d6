import { chunksOf } from '../plan/chunks.js'
import type { PlainRow } from '../plan/row.js'
import { expandLayer, filterVisits } from './layer.js'
import type { Walk } from './need.js'
import { repeatLayer } from './repeated-hop.js'
import type { Hop, TraversalData, TraversalStep } from './traversal.js'
import { distinctNodes, nodeTextOf, startVisitOf, type Visit } from './visit.js'

/** The result of a traversal: the visits of its start, and those of its last step. */
export interface WalkResult {
  readonly start: readonly Visit[]
  readonly last: readonly Visit[]
  /** The visits at which the last hop began. With `minDepth: 0` some are among its results, without an edge of it. */
  readonly origins: ReadonlySet<Visit>
}

/** What a result asks of the walk. */
export interface WalkOptions {
  /** Orders the edges of a hop as its path does. */
  readonly compareEdges: (hop: Hop) => (a: PlainRow, b: PlainRow) => number
  /** Whether nodes are wanted as soon as they are reached, and nothing else. */
  readonly streams?: boolean
  /** The number of simple paths after which no more are wanted. */
  readonly enoughPaths?: number | undefined
}

/** What the steps of a walk know of the steps before them. */
interface WalkState {
  readonly startKeys: ReadonlySet<string>
  /** The nodes that the steps before the last hop reached, and those that the last hop reached. */
  readonly visitedKeys: Set<string>
  readonly reachedKeys: Set<string>
  lastStep: TraversalStep | undefined
  origins: readonly Visit[]
}

/** Walks the steps of a traversal, layer by layer, and announces the nodes of the last one. */
export function* walkTraversal({ type, start, check, steps }: TraversalData, options: WalkOptions): Walk<WalkResult> {
  const given = start.map(startVisitOf)
  const first = yield* filterVisits(type, given, check)
  const startKeys = new Set(given.map(({ node }) => nodeTextOf(node)))
  const state: WalkState = {
    startKeys,
    visitedKeys: new Set(),
    reachedKeys: new Set(startKeys),
    lastStep: undefined,
    origins: [],
  }
  const streamedSteps = options.streams ? trailingHops(steps) : []
  const wholeSteps = steps.slice(0, steps.length - streamedSteps.length)
  let layer: readonly Visit[] = first
  let announced = false
  for (const [at, step] of wholeSteps.entries()) {
    // A repeated hop reaches further nodes at every depth: they stream at once.
    announced = at === steps.length - 1 && step.kind === 'repeat'
    if (step.kind === 'hop' || step.kind === 'repeat') {
      for (const key of state.reachedKeys) state.visitedKeys.add(key)
      state.reachedKeys.clear()
      state.lastStep = step
      state.origins = layer
    }
    layer = yield* walkStep(step, layer, { state, options, announces: announced })
  }
  if (streamedSteps[0]) yield* streamHops(layer, streamedSteps)
  else if (!announced) yield { kind: 'reached', visits: layer }
  return { start: first, last: layer, origins: new Set(state.origins) }
}

interface StepContext {
  readonly state: WalkState
  readonly options: WalkOptions
  readonly announces: boolean
}

function* walkStep(
  step: TraversalStep,
  layer: readonly Visit[],
  { state, options, announces }: StepContext,
): Walk<readonly Visit[]> {
  const onReached = (visits: readonly Visit[]) => {
    for (const { node } of visits) state.reachedKeys.add(nodeTextOf(node))
  }
  switch (step.kind) {
    case 'hop': {
      const next = yield* expandLayer(layer, step.hop)
      onReached(next)
      return yield* filterVisits(step.hop.reached, next, step.check)
    }
    case 'repeat': {
      const { enoughPaths = Number.POSITIVE_INFINITY } = options
      return yield* repeatLayer(step, layer, { announces, onReached, enoughPaths })
    }
    case 'except': {
      const excludedKeys = step.nodes === 'visited' ? state.visitedKeys : state.startKeys
      return layer.filter(({ node }) => !excludedKeys.has(nodeTextOf(node)))
    }
    case 'filter':
      return yield* filterVisits(step.type, layer, step.check)
    case 'limit': {
      const ordered = state.lastStep?.kind === 'hop' ? mergeByEdges(layer, state.lastStep.hop, options) : layer
      const keptKeys = new Set(distinctNodes(ordered).slice(0, step.nodes).map(nodeTextOf))
      return ordered.filter(({ node }) => keptKeys.has(nodeTextOf(node)))
    }
  }
}

/** The visits of a hop in the order of its path, merged over all lists. A node has the place of its first edge. */
function mergeByEdges(layer: readonly Visit[], hop: Hop, { compareEdges }: WalkOptions): readonly Visit[] {
  const compare = compareEdges(hop)
  const firstEdges = new Map(
    layer.map(visit => [visit, visit.arrivals.map(({ row }) => row).reduce((a, b) => (compare(b, a) < 0 ? b : a))]),
  )
  return layer.toSorted((a, b) => compare(firstEdges.get(a)!, firstEdges.get(b)!))
}

/** The hops at the end of a traversal whose nodes need no check, so that they can be followed a few lists at a time. */
function trailingHops(steps: readonly TraversalStep[]): Hop[] {
  const hops: Hop[] = []
  for (const step of steps.toReversed()) {
    if (step.kind !== 'hop' || step.check.read || step.check.test) break
    hops.unshift(step.hop)
  }
  return hops
}

/** As many lists as are read side by side. */
const STREAMED_LISTS = 8

/** Announces the nodes behind some hops. The first come before the waves between them have ended. */
function* streamHops(layer: readonly Visit[], hops: readonly Hop[]): Walk<void> {
  const followed = hops.map(() => new Set<string>())
  function* follow(visits: readonly Visit[], depth: number): Walk<void> {
    const hop = hops[depth]
    if (!hop) {
      yield { kind: 'reached', visits, isPart: true }
      return
    }
    // Another way to a node leads to nothing new.
    const fresh = visits.filter(({ node }) => !followed[depth]!.has(node.key))
    for (const { node } of fresh) followed[depth]!.add(node.key)
    for (const some of chunksOf(fresh, STREAMED_LISTS)) yield* follow(yield* expandLayer(some, hop), depth + 1)
  }
  yield* follow(layer, 0)
  yield { kind: 'reached', visits: [] }
}

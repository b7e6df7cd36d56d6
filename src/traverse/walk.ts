import { expandLayer, filterVisits } from './layer.js'
import type { Walk } from './need.js'
import { repeatLayer } from './repeated-hop.js'
import type { TraversalData, TraversalStep } from './traversal.js'
import { distinctNodes, nodeTextOf, startVisitOf, type Visit } from './visit.js'

/** The result of a traversal: the visits of its start, and those of its last step. */
export interface WalkResult {
  readonly start: readonly Visit[]
  readonly last: readonly Visit[]
}

interface WalkState {
  /** The nodes of all layers before the current one. */
  readonly visitedKeys: Set<string>
  readonly startKeys: ReadonlySet<string>
}

/** Walks the steps of a traversal, layer by layer, and announces the nodes of the last one. */
export function* walkTraversal({ type, start, check, steps }: TraversalData): Walk<WalkResult> {
  const first = yield* filterVisits(type, start.map(startVisitOf), check)
  const startKeys = new Set(first.map(({ node }) => nodeTextOf(node)))
  const passed: WalkState = { visitedKeys: new Set(), startKeys }
  let layer: readonly Visit[] = first
  let announced = false
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const isMove = step.kind === 'hop' || step.kind === 'repeat'
    // A repeated hop reaches further nodes at every depth: they stream at once.
    announced = isLast && step.kind === 'repeat'
    if (isMove) for (const { node } of layer) passed.visitedKeys.add(nodeTextOf(node))
    layer = yield* walkStep(step, layer, passed, announced)
  }
  if (!announced) yield { kind: 'reached', visits: layer }
  return { start: first, last: layer }
}

function* walkStep(
  step: TraversalStep,
  layer: readonly Visit[],
  { visitedKeys, startKeys }: WalkState,
  announce: boolean,
): Walk<readonly Visit[]> {
  switch (step.kind) {
    case 'hop':
      return yield* filterVisits(step.hop.reached, yield* expandLayer(layer, step.hop), step.check)
    case 'repeat':
      return yield* repeatLayer(step, layer, announce)
    case 'except': {
      const excludedKeys = step.nodes === 'visited' ? visitedKeys : startKeys
      return layer.filter(({ node }) => !excludedKeys.has(nodeTextOf(node)))
    }
    case 'filter':
      return yield* filterVisits(step.type, layer, step.check)
    case 'limit': {
      const keptKeys = new Set(distinctNodes(layer).slice(0, step.nodes).map(nodeTextOf))
      return layer.filter(({ node }) => keptKeys.has(nodeTextOf(node)))
    }
  }
}

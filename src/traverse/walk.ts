import { checked, expand } from './layer.js'
import type { Walk } from './need.js'
import { repeatLayer } from './repeat.js'
import type { Traversal, TraversalStep } from './traversal.js'
import { distinctNodes, startVisit, textOf, type Visit } from './visit.js'

/** What a traversal reached: the visits of its start, and those of its last step. */
export interface Walked {
  readonly start: readonly Visit[]
  readonly last: readonly Visit[]
}

interface Passed {
  /** The nodes of all layers before the current one. */
  readonly visited: Set<string>
  readonly started: ReadonlySet<string>
}

/** Walks the steps of a traversal, layer by layer, and announces the nodes of the last one. */
export function* walk({ type, start, check, steps }: Traversal): Walk<Walked> {
  const first = yield* checked(type, start.map(startVisit), check)
  const started = new Set(first.map(({ node }) => textOf(node)))
  const passed: Passed = { visited: new Set(), started }
  let layer: readonly Visit[] = first
  let announced = false
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const isMove = step.kind === 'hop' || step.kind === 'repeat'
    // A repeated hop reaches further nodes at every depth: they stream at once.
    announced = isLast && step.kind === 'repeat'
    if (isMove) for (const { node } of layer) passed.visited.add(textOf(node))
    layer = yield* stepped(step, layer, passed, announced)
  }
  if (!announced) yield { kind: 'reached', visits: layer }
  return { start: first, last: layer }
}

function* stepped(
  step: TraversalStep,
  layer: readonly Visit[],
  { visited, started }: Passed,
  announce: boolean,
): Walk<readonly Visit[]> {
  switch (step.kind) {
    case 'hop':
      return yield* checked(step.hop.reached, yield* expand(layer, step.hop), step.check)
    case 'repeat':
      return yield* repeatLayer(step, layer, announce)
    case 'except': {
      const left = step.nodes === 'visited' ? visited : started
      return layer.filter(({ node }) => !left.has(textOf(node)))
    }
    case 'filter':
      return yield* checked(step.type, layer, step.check)
    case 'limit': {
      const kept = new Set(distinctNodes(layer).slice(0, step.nodes).map(textOf))
      return layer.filter(({ node }) => kept.has(textOf(node)))
    }
  }
}

import type { DeclaredType } from '../../layout/slots.js'
import { typeOf } from '../../plan/identity.js'
import { membersNamed } from '../../plan/members.js'
import type { Row } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { isCount, shown } from '../../schema/refusal.js'
import { canVanish, refOf } from '../../traverse/hop.js'
import { needNodes, type Walk } from '../../traverse/need.js'
import { type AggregateOptions, aggregated } from '../../traverse/results/aggregate.js'
import { type RankOptions, rankOf } from '../../traverse/results/rank.js'
import { depthsOf, edgesOf, idsOf, nodesOf, pathsOf } from '../../traverse/results/reached.js'
import { type SubtreeOptions, subtreesOf, treeOf } from '../../traverse/results/tree.js'
import type { OnBudget } from '../../traverse/spending.js'
import {
  type Budget,
  DEFAULT_REQUESTS,
  type Hop,
  type NodeCheck,
  type TraversalStep,
} from '../../traverse/traversal.js'
import { distinctNodes } from '../../traverse/visit.js'
import { type Walked, walk } from '../../traverse/walk.js'
import type { Context } from '../context.js'
import { given, givenNumber, optionsOf } from '../given.js'
import type { Condition } from '../types/condition.js'
import { TraversalCall, type TraversalPlan } from './call.js'
import { hopBy, type PathFunction, type Refine } from './hop-by.js'
import { nodeTest } from './node-condition.js'
import { streamed } from './stream.js'

/** The most paths that paths() holds unless the call says otherwise. */
const MOST_PATHS = 10_000

export interface BudgetOptions extends Partial<Budget> {
  readonly onBudget?: OnBudget | undefined
}

interface RepeatOptions {
  readonly depth?: number
  readonly minDepth?: number
  readonly edges?: Refine
  readonly nodes?: Condition<never>
  readonly until?: Condition<never>
  readonly visits?: 'once' | 'simple'
}

/** A traversal that is put together call by call. Each call leaves the one that it was made from as it is. */
export class GraphTraversal implements AsyncIterable<Row> {
  constructor(
    readonly context: Context,
    /** The type of the nodes that it is at. */
    private readonly type: DeclaredType,
    readonly planned: TraversalPlan,
  ) {}

  static from(context: Context, type: DeclaredType, ids: readonly unknown[]): GraphTraversal {
    given(ids.length > 0, `from() takes the ids of the nodes of '${type.name}' at which the traversal starts; give one`)
    const refs = new Map(ids.map(id => refOf(type, id)).map(node => [node.key, node]))
    const check = { read: canVanish(context.layout, type.name) }
    return new GraphTraversal(context, type, {
      traversal: { type: type.name, start: [...refs.values()], check, steps: [] },
      budget: { requests: DEFAULT_REQUESTS },
      onBudget: 'error',
      cursor: undefined,
    })
  }

  hop(path: PathFunction, refine?: Refine): GraphTraversal {
    const hop = this.hopBy(path, refine)
    return this.after({ kind: 'hop', hop, check: this.checkOf(hop.reached) }, hop.reached)
  }

  repeat(path: PathFunction, options: RepeatOptions): GraphTraversal {
    const known = 'depth, minDepth, edges, nodes, until, visits'
    const { depth, minDepth = 1, edges, nodes, until, visits = 'once' } = optionsOf('repeat', options, known)
    given(isCount(depth), `repeat() takes the largest depth, a whole number from 1, instead of ${shown(depth)}`)
    given(
      Number.isSafeInteger(minDepth) && minDepth >= 0 && minDepth <= depth!,
      `minDepth is a whole number from 0 to ${depth}, instead of ${shown(minDepth)}`,
    )
    given(visits === 'once' || visits === 'simple', "visits is 'once' or 'simple'")
    const hop = this.hopBy(path, edges)
    if (hop.reached !== hop.start)
      throw new GraphError(
        'read.path',
        `${hop.type}.by.${hop.path} leads from '${hop.start}' to '${hop.reached}', and cannot be repeated; give a path between nodes of one type`,
        { type: hop.type, name: hop.path },
      )
    const step: TraversalStep = {
      kind: 'repeat',
      hop,
      check: this.checkOf(hop.reached, nodes),
      minDepth,
      maxDepth: depth!,
      visits,
      ...(until && { until: nodeTest(typeOf(this.context.layout, hop.reached), until) }),
    }
    return this.after(step, hop.reached)
  }

  except(nodes: 'visited' | 'start'): GraphTraversal {
    given(nodes === 'visited' || nodes === 'start', "except() takes 'visited' or 'start'")
    return this.after({ kind: 'except', nodes })
  }

  filter(condition: Condition<never>): GraphTraversal {
    const { name } = this.type
    return this.after({ kind: 'filter', type: name, check: { read: true, test: nodeTest(this.type, condition) } })
  }

  existing(): GraphTraversal {
    return this.after({ kind: 'filter', type: this.type.name, check: { read: true } })
  }

  limit(nodes: number): GraphTraversal {
    given(isCount(nodes), `limit() takes a whole number from 1, instead of ${shown(nodes)}`)
    return this.after({ kind: 'limit', nodes })
  }

  consistent(): GraphTraversal {
    const { traversal } = this.planned
    const steps = traversal.steps.map(step =>
      'hop' in step ? { ...step, hop: { ...step.hop, read: { ...step.hop.read, consistent: true } } } : step,
    )
    return this.with({ traversal: { ...traversal, steps, consistent: true } })
  }

  budget(options: BudgetOptions): GraphTraversal {
    const { onBudget = this.planned.onBudget, ...budget } = optionsOf(
      'budget',
      options,
      'requests, units, nodes, edges, onBudget',
    )
    for (const [name, value] of Object.entries(budget)) givenNumber(value, name, 1)
    given(onBudget === 'error' || onBudget === 'partial', "onBudget is 'error' or 'partial'")
    return this.with({ budget: { ...this.planned.budget, ...budget }, onBudget })
  }

  resume(cursor: string | undefined): GraphTraversal {
    given(cursor === undefined || typeof cursor === 'string', 'resume() takes the cursor of a partial result')
    return this.with({ cursor, onBudget: 'partial' })
  }

  /** The traversal as plain data. */
  data(): TraversalPlan['traversal'] {
    return this.planned.traversal
  }

  ids(): TraversalCall<unknown[]> {
    return this.found('ids', idsOf)
  }

  nodes(): TraversalCall<Row[]> {
    const { name } = this.type
    return this.call('nodes', true, walked => nodesOf(name, walked))
  }

  edges(): TraversalCall<Row[]> {
    return this.found('edges', edgesOf)
  }

  paths(options?: { readonly max?: number }): TraversalCall<unknown[]> {
    const { max = MOST_PATHS } = optionsOf('paths', options, 'max')
    givenNumber(max, 'max', 1)
    return this.found('paths', walked => {
      const paths = pathsOf(walked, max)
      if (paths.length > max)
        throw new GraphError(
          'read.max',
          `there are more than ${max} paths; give paths() a larger max, or follow fewer edges`,
        )
      return paths
    })
  }

  tree(): TraversalCall<unknown[]> {
    return this.found('tree', treeOf)
  }

  depths(): TraversalCall<unknown[]> {
    return this.found('depths', depthsOf)
  }

  count(): TraversalCall<number> {
    return this.found('count', ({ last }) => distinctNodes(last).length)
  }

  rank(options?: RankOptions): TraversalCall<unknown[]> {
    const known = optionsOf('rank', options, 'weight, limit, nodes')
    const { limit, weight } = known
    given(limit === undefined || isCount(limit), `limit is a whole number from 1, instead of ${shown(limit)}`)
    if (weight !== undefined) membersNamed(this.lastType(), weight)
    const { name } = this.type
    return this.call('rank', known.nodes === true, walked => rankOf(name, walked, known))
  }

  subtree(options?: SubtreeOptions): TraversalCall<unknown[]> {
    const { sum = [], ...rest } = options ?? {}
    optionsOf('subtree', rest, 'sum')
    const { name } = this.type
    const attributes = [sum].flat()
    for (const attribute of attributes) membersNamed(this.type, attribute as string)
    const mixed = this.planned.traversal.steps.some(step => 'hop' in step && step.hop.start !== step.hop.reached)
    given(!mixed, 'subtree() takes a traversal over nodes of one type')
    return this.call('subtree', attributes.length > 0, walked => subtreesOf(name, walked, attributes as string[]))
  }

  aggregate(options?: AggregateOptions): TraversalCall<unknown[]> {
    const known = optionsOf('aggregate', options, 'over, by, of')
    const { over = 'nodes', by, of } = known
    given(over === 'nodes' || over === 'edges', "over is 'nodes' or 'edges'")
    const type = over === 'nodes' ? this.type : this.lastType()
    for (const attribute of [by, of]) if (attribute !== undefined) membersNamed(type, attribute)
    const needsRows = by !== undefined || of !== undefined
    return this.call('aggregate', over === 'nodes' && needsRows, function* (walked): Walk<unknown[]> {
      if (over === 'edges') return aggregated(type.name, edgesOf(walked), known)
      const nodes = distinctNodes(walked.last)
      if (!needsRows)
        return aggregated(
          type.name,
          nodes.map(() => ({})),
          known,
        )
      const rows = yield* needNodes(type.name, nodes)
      return aggregated(
        type.name,
        rows.filter(row => row !== undefined),
        known,
      )
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<Row> {
    given(
      this.planned.onBudget === 'error',
      "for await takes a traversal that fails at its budget; await nodes() of one with onBudget: 'partial'",
    )
    const { name } = this.type
    const { traversal } = this.planned
    return streamed(
      name,
      reached =>
        new TraversalCall(this.context, this.planned, {
          name: `${traversal.type}.from.stream`,
          readsNodes: true,
          walk: () => walk(traversal),
          reached,
        }),
    )
  }

  /** A result that reads nothing more. */
  private found<T>(name: string, result: (walked: Walked) => T): TraversalCall<T> {
    // biome-ignore lint/correctness/useYield: it is a walk like the others, and needs nothing
    return this.call(name, false, function* (walked): Walk<T> {
      return result(walked)
    })
  }

  private call<T>(name: string, readsNodes: boolean, result: (walked: Walked) => Walk<T>): TraversalCall<T> {
    const { traversal } = this.planned
    return new TraversalCall<T>(this.context, this.planned, {
      name: `${traversal.type}.from.${name}`,
      readsNodes,
      *walk() {
        return yield* result(yield* walk(traversal))
      },
    })
  }

  /** The type of the rows by which the last step reached its nodes. */
  private lastType(): DeclaredType {
    const step = this.planned.traversal.steps.findLast(each => each.kind === 'hop' || each.kind === 'repeat')
    given(step !== undefined, 'the traversal has no hop yet; add one')
    return typeOf(this.context.layout, (step as { readonly hop: Hop }).hop.type)
  }

  private hopBy(path: PathFunction, refine?: Refine): Hop {
    return hopBy(this.context, this.type.name, path, refine, this.planned.traversal.consistent)
  }

  private checkOf(type: string, condition?: Condition<never>): NodeCheck {
    const { layout } = this.context
    const test = condition && nodeTest(typeOf(layout, type), condition)
    return { read: test !== undefined || canVanish(layout, type), test }
  }

  private after(step: TraversalStep, type = this.type.name): GraphTraversal {
    const { traversal } = this.planned
    const planned = { ...this.planned, traversal: { ...traversal, steps: [...traversal.steps, step] } }
    return new GraphTraversal(this.context, typeOf(this.context.layout, type), planned)
  }

  private with(more: Partial<TraversalPlan>): GraphTraversal {
    return new GraphTraversal(this.context, this.type, { ...this.planned, ...more })
  }
}

import type { DeclaredType } from '../../layout/slots.js'
import { typeByName } from '../../plan/identity.js'
import { membersByName } from '../../plan/members.js'
import type { PlainRow } from '../../plan/row.js'
import { formatValue } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import type { OnBudget } from '../../traverse/budget-usage.js'
import { compareByPath } from '../../traverse/edge-order.js'
import { canVanish, nodeRefOf } from '../../traverse/hop.js'
import type { Walk } from '../../traverse/need.js'
import { toPlainData } from '../../traverse/plain-data.js'
import { restoreTraversal } from '../../traverse/restore-traversal.js'
import { type AggregateOptions, aggregateRows } from '../../traverse/results/aggregate.js'
import { depthsOf, edgesOf, idsOf, nodesOf, walkedPathsOf } from '../../traverse/results/nodes-and-paths.js'
import { type RankOptions, rankNodes } from '../../traverse/results/rank.js'
import { type SubtreeOptions, subtreesOf, treeOf } from '../../traverse/results/tree.js'
import {
  type Budget,
  DEFAULT_BUDGET_REQUESTS,
  type Hop,
  type NodeCheck,
  type TraversalStep,
} from '../../traverse/traversal.js'
import { distinctNodes } from '../../traverse/visit.js'
import { type WalkOptions, type WalkResult, walkTraversal } from '../../traverse/walk.js'
import type { WaveOptions } from '../../traverse/wave-estimates.js'
import { assertArgument, assertChoice, assertInteger, parseOptions } from '../arguments.js'
import type { Context } from '../context.js'
import type { Condition } from '../types/condition.js'
import { assertBudget } from './budget-options.js'
import { GraphTraversalCall, type TraversalPlan } from './call.js'
import { toNodeTest } from './node-condition.js'
import { hopFromPath, type PathFunction, type RefineQuery } from './path-hop.js'
import { streamRows } from './stream.js'

/** The most paths that paths() holds unless the call says otherwise. */
const MAX_PATHS = 10_000

export interface BudgetArguments extends Partial<Budget> {
  readonly onBudget?: OnBudget | undefined
}

interface RepeatArguments {
  readonly depth?: number
  readonly minDepth?: number
  readonly edges?: RefineQuery
  readonly nodes?: Condition<never>
  readonly until?: Condition<never>
  readonly visits?: 'once' | 'simple'
}

const LAST_NODES: WaveOptions = { readsNodes: 'last' }

/** A traversal that is put together call by call. Each call leaves the one that it was made from as it is. */
export class GraphTraversal implements AsyncIterable<PlainRow> {
  constructor(
    readonly context: Context,
    /** The type of the nodes that it is at. */
    private readonly type: DeclaredType,
    readonly planned: TraversalPlan,
  ) {}

  static from(context: Context, type: DeclaredType, ids: readonly unknown[]): GraphTraversal {
    assertArgument(
      ids.length > 0,
      `from(): the call has no ids; give the ids of the nodes of '${type.name}' at which the traversal starts.`,
    )
    const refs = new Map(ids.map(id => nodeRefOf(context.layout, type, id)).map(node => [node.key, node]))
    const check = { read: canVanish(context.layout, type.name) }
    return new GraphTraversal(context, type, {
      traversal: { type: type.name, start: [...refs.values()], check, steps: [] },
      budget: { requests: DEFAULT_BUDGET_REQUESTS },
      onBudget: 'error',
      cursor: undefined,
    })
  }

  hop(path: PathFunction, refine?: RefineQuery): GraphTraversal {
    const hop = this.toHop(path, refine)
    return this.addStep({ kind: 'hop', hop, check: this.nodeCheckOf(hop.reached) }, hop.reached)
  }

  repeat(path: PathFunction, options: RepeatArguments): GraphTraversal {
    const known = 'depth, minDepth, edges, nodes, until, visits'
    const { depth, minDepth = 1, edges, nodes, until, visits = 'once' } = parseOptions('repeat', options, known)
    assertInteger(depth, 'depth')
    assertArgument(
      Number.isSafeInteger(minDepth) && minDepth >= 0 && minDepth <= depth!,
      `minDepth: ${formatValue(minDepth)} is out of range; give a whole number from 0 to ${depth}.`,
    )
    assertChoice(visits, 'visits', 'once', 'simple')
    const hop = this.toHop(path, edges)
    if (hop.reached !== hop.start)
      throw new GraphError(
        'read.path',
        `${hop.type}.by.${hop.path}: the path leads from '${hop.start}' to '${hop.reached}', so it cannot be repeated; give a path between nodes of one type.`,
        { type: hop.type, name: hop.path },
      )
    const step: TraversalStep = {
      kind: 'repeat',
      hop,
      check: this.nodeCheckOf(hop.reached, nodes),
      minDepth,
      maxDepth: depth!,
      visits,
      ...(until && { until: toNodeTest(typeByName(this.context.layout, hop.reached), until) }),
    }
    return this.addStep(step, hop.reached)
  }

  except(nodes: 'visited' | 'start'): GraphTraversal {
    assertChoice(nodes, 'except()', 'visited', 'start')
    return this.addStep({ kind: 'except', nodes })
  }

  filter(condition: Condition<never>): GraphTraversal {
    const { name } = this.type
    return this.addStep({ kind: 'filter', type: name, check: { read: true, test: toNodeTest(this.type, condition) } })
  }

  existing(): GraphTraversal {
    return this.addStep({ kind: 'filter', type: this.type.name, check: { read: true } })
  }

  limit(nodes: number): GraphTraversal {
    assertInteger(nodes, 'limit()')
    return this.addStep({ kind: 'limit', nodes })
  }

  consistent(): GraphTraversal {
    const { traversal } = this.planned
    const steps = traversal.steps.map(step =>
      'hop' in step ? { ...step, hop: { ...step.hop, read: { ...step.hop.read, consistent: true } } } : step,
    )
    return this.with({ traversal: { ...traversal, steps, consistent: true } })
  }

  budget(options: BudgetArguments): GraphTraversal {
    const { onBudget = this.planned.onBudget, ...budget } = parseOptions(
      'budget',
      options,
      'requests, units, nodes, edges, paths, onBudget',
    )
    assertBudget(budget)
    assertChoice(onBudget, 'onBudget', 'error', 'partial')
    return this.with({ budget: { ...this.planned.budget, ...budget }, onBudget })
  }

  resume(cursor: string | undefined): GraphTraversal {
    assertArgument(
      cursor === undefined || typeof cursor === 'string',
      'resume(): the argument is not a cursor; give the cursor of a partial result.',
    )
    return this.with({ cursor, onBudget: 'partial' })
  }

  /** The traversal as plain data, which JSON keeps. */
  data(): TraversalPlan['traversal'] {
    return toPlainData(this.planned.traversal) as TraversalPlan['traversal']
  }

  /** A traversal from its data. */
  static restore(context: Context, data: unknown): GraphTraversal {
    const traversal = restoreTraversal(context.layout, data, context.tenant)
    const last = traversal.steps.findLast(step => 'hop' in step) as { readonly hop: Hop } | undefined
    const type = typeByName(context.layout, last?.hop.reached ?? traversal.type)
    return new GraphTraversal(context, type, {
      traversal,
      budget: { requests: DEFAULT_BUDGET_REQUESTS },
      onBudget: 'error',
      cursor: undefined,
    })
  }

  ids(): GraphTraversalCall<unknown[]> {
    return this.resultCall('ids', idsOf)
  }

  nodes(): GraphTraversalCall<PlainRow[]> {
    const { name } = this.type
    return this.call('nodes', LAST_NODES, walked => nodesOf(name, walked))
  }

  edges(): GraphTraversalCall<PlainRow[]> {
    return this.resultCall('edges', edgesOf)
  }

  paths(options?: { readonly max?: number }): GraphTraversalCall<unknown[]> {
    const { max = MAX_PATHS } = parseOptions('paths', options, 'max')
    assertInteger(max, 'max')
    const isSimple = (step: TraversalStep | undefined) => step?.kind === 'repeat' && step.visits === 'simple'
    // Each visit of the last step is a path, so that more of them are not followed to their ends.
    const enoughPaths = isSimple(this.planned.traversal.steps.at(-1)) ? max : undefined
    // biome-ignore lint/correctness/useYield: it is a walk like the others, and needs nothing
    const result = function* (walked: WalkResult): Walk<unknown[]> {
      const paths = walkedPathsOf(walked, max)
      if (paths.length > max)
        throw new GraphError(
          'read.max',
          `paths(): there are more than ${max} paths; give a larger max, or follow fewer edges.`,
        )
      return paths
    }
    return this.call('paths', {}, result, { enoughPaths })
  }

  tree(): GraphTraversalCall<unknown[]> {
    return this.resultCall('tree', treeOf)
  }

  depths(): GraphTraversalCall<unknown[]> {
    return this.resultCall('depths', depthsOf)
  }

  count(): GraphTraversalCall<number> {
    return this.resultCall('count', ({ last }) => distinctNodes(last).length)
  }

  rank(options?: RankOptions): GraphTraversalCall<unknown[]> {
    const known = parseOptions('rank', options, 'weight, limit, nodes')
    const { limit, weight } = known
    if (limit !== undefined) assertInteger(limit, 'limit')
    if (weight !== undefined) membersByName(this.lastRowType(), weight)
    const { name } = this.type
    const reads = known.nodes ? { ...LAST_NODES, enoughNodes: limit ?? undefined } : {}
    return this.call('rank', reads, walked => rankNodes(name, walked, known))
  }

  subtree(options?: SubtreeOptions): GraphTraversalCall<unknown[]> {
    const { sum = [], ...rest } = options ?? {}
    parseOptions('subtree', rest, 'sum')
    const { type } = this
    const attributes = [sum].flat()
    for (const attribute of attributes) membersByName(this.type, attribute as string)
    const mixed = this.planned.traversal.steps.some(step => 'hop' in step && step.hop.start !== step.hop.reached)
    assertArgument(
      !mixed,
      'subtree(): the traversal has nodes of several types; follow only paths between nodes of one type.',
    )
    return this.call('subtree', attributes.length > 0 ? { readsNodes: 'all' } : {}, walked =>
      subtreesOf(type, walked, attributes as string[]),
    )
  }

  aggregate(options?: AggregateOptions): GraphTraversalCall<unknown[]> {
    const known = parseOptions('aggregate', options, 'over, by, of')
    const { over = 'nodes', by, of } = known
    assertChoice(over, 'over', 'nodes', 'edges')
    const type = over === 'nodes' ? this.type : this.lastRowType()
    for (const attribute of [by, of]) if (attribute !== undefined) membersByName(type, attribute)
    return this.call('aggregate', over === 'nodes' ? LAST_NODES : {}, function* (walked): Walk<unknown[]> {
      const rows = over === 'edges' ? edgesOf(walked) : yield* nodesOf(type.name, walked)
      return aggregateRows(type, rows, known)
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<PlainRow> {
    assertArgument(
      this.planned.onBudget === 'error',
      "for await: the traversal has onBudget: 'partial', whose result a loop cannot return; await nodes() instead.",
    )
    const { name } = this.type
    const { traversal } = this.planned
    return streamRows(
      name,
      reached =>
        new GraphTraversalCall(this.context, this.planned, {
          name: `${traversal.type}.from.stream`,
          reads: LAST_NODES,
          walk: () => walkTraversal(traversal, { ...this.walkOptions(), streams: true }),
          reached,
        }),
    )
  }

  /** A result that reads nothing more. */
  private resultCall<T>(name: string, result: (walked: WalkResult) => T): GraphTraversalCall<T> {
    // biome-ignore lint/correctness/useYield: it is a walk like the others, and needs nothing
    return this.call(name, {}, function* (walked): Walk<T> {
      return result(walked)
    })
  }

  private walkOptions(): WalkOptions {
    const { layout } = this.context
    return { compareEdges: hop => compareByPath(layout, hop) }
  }

  private call<T>(
    name: string,
    reads: WaveOptions,
    result: (walked: WalkResult) => Walk<T>,
    { enoughPaths }: Pick<WalkOptions, 'enoughPaths'> = {},
  ): GraphTraversalCall<T> {
    const { traversal } = this.planned
    const options = { ...this.walkOptions(), enoughPaths }
    return new GraphTraversalCall<T>(this.context, this.planned, {
      name: `${traversal.type}.from.${name}`,
      reads,
      *walk() {
        return yield* result(yield* walkTraversal(traversal, options))
      },
    })
  }

  /** The type of the rows by which the last step reached its nodes. */
  private lastRowType(): DeclaredType {
    const step = this.planned.traversal.steps.findLast(each => each.kind === 'hop' || each.kind === 'repeat')
    assertArgument(step !== undefined, 'traversal: it has no hop yet; add one.')
    return typeByName(this.context.layout, (step as { readonly hop: Hop }).hop.type)
  }

  private toHop(path: PathFunction, refine?: RefineQuery): Hop {
    return hopFromPath(this.context, this.type.name, path, refine, this.planned.traversal.consistent)
  }

  private nodeCheckOf(type: string, condition?: Condition<never>): NodeCheck {
    const { layout } = this.context
    const test = condition && toNodeTest(typeByName(layout, type), condition)
    return { read: test !== undefined || canVanish(layout, type), test }
  }

  private addStep(step: TraversalStep, type = this.type.name): GraphTraversal {
    const { traversal } = this.planned
    const planned = { ...this.planned, traversal: { ...traversal, steps: [...traversal.steps, step] } }
    return new GraphTraversal(this.context, typeByName(this.context.layout, type), planned)
  }

  private with(more: Partial<TraversalPlan>): GraphTraversal {
    return new GraphTraversal(this.context, this.type, { ...this.planned, ...more })
  }
}

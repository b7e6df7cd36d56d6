import type { DeclaredType } from '../../layout/slots.js'
import { accessByName, accessesOf, typeByName } from '../../plan/identity.js'
import { membersByName } from '../../plan/members.js'
import { GraphError } from '../../schema/error.js'
import { canVanish, counterOf, nodeRefOf } from '../../traverse/hop.js'
import { findLightestRoute } from '../../traverse/lightest-route.js'
import type { Walk } from '../../traverse/need.js'
import { distinctRefs, findCommonNeighbors, measureSimilarity, type NeighborSearch } from '../../traverse/neighbors.js'
import { findShortestRoutes, type NodeRoute, type RouteSearch } from '../../traverse/shortest-routes.js'
import {
  type Budget,
  DEFAULT_BUDGET_REQUESTS,
  type Hop,
  type TraversalData,
  type TraversalStep,
} from '../../traverse/traversal.js'
import type { WaveOptions } from '../../traverse/wave-estimates.js'
import { assertArgument, assertInteger, assertNumber, parseOptions } from '../arguments.js'
import type { Context } from '../context.js'
import type { Condition } from '../types/condition.js'
import { assertBudget } from './budget-options.js'
import { GraphTraversalCall } from './call.js'
import { toNodeTest } from './node-condition.js'
import { hopFromPath, type PathFunction, type RefineQuery } from './path-hop.js'

const DEFAULT_DEPTH = 6
const MAX_ROUTES = 1_000

interface SearchArguments {
  readonly maxDepth?: number
  readonly edges?: RefineQuery
  readonly nodes?: Condition<never>
  readonly weight?: string
  readonly maxWeight?: number
  readonly max?: number
  readonly consistent?: boolean
  readonly budget?: Partial<Budget>
}

interface NeighborArguments {
  readonly edges?: RefineQuery
  readonly degrees?: readonly number[]
  readonly consistent?: boolean
  readonly budget?: Partial<Budget>
}

/** The searches between given nodes of a type. */
export class GraphSearches {
  constructor(
    private readonly context: Context,
    private readonly type: DeclaredType,
  ) {}

  shortestPath(from: unknown, to: unknown, path: PathFunction, options?: SearchArguments): GraphTraversalCall<unknown> {
    const known = parseOptions('shortestPath', options, 'maxDepth, edges, nodes, weight, maxWeight, consistent, budget')
    const { weight, maxWeight = Number.POSITIVE_INFINITY } = known
    const search = this.searchOf(from, to, path, known)
    assertNumber(maxWeight, 'maxWeight')
    if (weight !== undefined) membersByName(typeByName(this.context.layout, search.forward.type), weight)
    else
      assertArgument(
        maxWeight === Number.POSITIVE_INFINITY,
        "maxWeight: the search has no 'weight' that it bounds; give 'weight'.",
      )
    return this.searchCall('shortestPath', search, known, function* () {
      const route =
        weight === undefined
          ? (yield* findShortestRoutes(search, 1))[0]
          : yield* findLightestRoute(search, { weight, maxWeight })
      return route && toPublicRoute(route)
    })
  }

  shortestPaths(
    from: unknown,
    to: unknown,
    path: PathFunction,
    options?: SearchArguments,
  ): GraphTraversalCall<unknown> {
    const known = parseOptions('shortestPaths', options, 'maxDepth, edges, nodes, max, consistent, budget')
    const { max = MAX_ROUTES } = known
    assertInteger(max, 'max')
    const search = this.searchOf(from, to, path, known)
    return this.searchCall('shortestPaths', search, known, function* () {
      const routes = yield* findShortestRoutes(search, max + 1)
      if (routes.length > max)
        throw new GraphError(
          'read.max',
          `shortestPaths(): there are more than ${max} shortest paths; give a larger max.`,
        )
      return routes.map(toPublicRoute)
    })
  }

  common(ids: readonly unknown[], path: PathFunction, options?: NeighborArguments): GraphTraversalCall<unknown[]> {
    const { search, known } = this.neighborSearchOf('common', ids, path, options, 'edges, degrees, consistent, budget')
    return this.neighborCall('common', search, known, function* () {
      return (yield* findCommonNeighbors(search)).map(({ id }) => id)
    })
  }

  similarity(
    one: unknown,
    other: unknown,
    path: PathFunction,
    options?: NeighborArguments,
  ): GraphTraversalCall<unknown> {
    const { search, known } = this.neighborSearchOf(
      'similarity',
      [one, other],
      path,
      options,
      'edges, consistent, budget',
    )
    return this.neighborCall('similarity', search, known, () => measureSimilarity(search))
  }

  private searchOf(from: unknown, to: unknown, path: PathFunction, options: SearchArguments): RouteSearch {
    const { context, type } = this
    const { maxDepth = DEFAULT_DEPTH, edges, nodes, consistent } = options
    assertInteger(maxDepth, 'maxDepth')
    const forward = hopFromPath(context, type.name, path, edges, consistent)
    if (forward.start !== forward.reached)
      throw new GraphError(
        'read.path',
        `${forward.type}.by.${forward.path}: the path leads from '${forward.start}' to '${forward.reached}'; give a path between nodes of one type.`,
      )
    const test = nodes && toNodeTest(type, nodes)
    const [start, end] = [nodeRefOf(context.layout, type, from), nodeRefOf(context.layout, type, to)]
    const read = canVanish(context.layout, type.name)
    return {
      forward,
      backward: this.oppositeHop(forward, edges, consistent),
      from: start,
      to: end,
      // The way from a node to itself has no edge that would show that the node exists.
      endCheck: { read: read || start.key === end.key },
      check: { read: test !== undefined || read, test },
      maxDepth,
    }
  }

  /** The same edges from their other end, where that finds exactly the same. */
  private oppositeHop(
    { type, path, end, read, start }: Hop,
    edges?: RefineQuery,
    consistent?: boolean,
  ): Hop | undefined {
    const { layout } = this.context
    const { where, limit, reverse } = read
    if (end === undefined || where || limit || reverse || !accessesOf(layout).has(`${type}.${end}`)) return undefined
    const declared = typeByName(layout, type)
    const otherPath = declared.kind === 'edge' && declared.undirected ? path : end
    if (consistent && !accessByName(layout, type, otherPath).consistent) return undefined
    try {
      return hopFromPath(this.context, start, { type, path: otherPath }, edges, consistent)
    } catch {
      // Its path cannot say what the other says: one direction is searched.
      return undefined
    }
  }

  private neighborSearchOf(
    name: string,
    ids: readonly unknown[],
    path: PathFunction,
    options: NeighborArguments | undefined,
    names: string,
  ) {
    const { context, type } = this
    const known = parseOptions(name, options, names)
    const { degrees, edges, consistent } = known
    assertArgument(
      Array.isArray(ids) && ids.length > 1,
      `${name}(): the ids are not a list of two or more; give the ids of at least two nodes.`,
    )
    const refs = distinctRefs(ids.map(id => nodeRefOf(context.layout, type, id)))
    assertArgument(
      name !== 'common' || refs.length === ids.length,
      'common(): two ids are those of one node; give the id of each node once.',
    )
    assertArgument(
      degrees === undefined || (Array.isArray(degrees) && degrees.length === ids.length && degrees.every(isCount)),
      'degrees: the list does not have a number from 0 for each node; give as many degrees as ids.',
    )
    const hop = hopFromPath(context, type.name, path, edges, consistent)
    const edge = typeByName(context.layout, hop.type)
    const isPlain = Object.keys(hop.read).every(option => option === 'consistent')
    const isKeyed = edge.kind !== 'edge' || edge.key.length > 0 || edge.one !== undefined
    const search: NeighborSearch = {
      hop,
      nodes: refs,
      startCheck: { read: canVanish(context.layout, hop.start) },
      check: { read: canVanish(context.layout, hop.reached) },
      degrees,
      counter: counterOf(edge, hop.path),
      canProbe: hop.end !== undefined && isPlain && !isKeyed,
      consistent,
    }
    return { search, known }
  }

  private neighborCall<T>(name: string, search: NeighborSearch, options: NeighborArguments, walk: () => Walk<T>) {
    const { hop, nodes, startCheck } = search
    const step: TraversalStep = { kind: 'hop', hop, check: search.check }
    const probes = search.canProbe && (search.degrees ?? search.counter) !== undefined
    // The counters of the nodes are read first.
    const check = { read: startCheck.read || (probes && search.degrees === undefined) }
    return this.createCall(name, { start: nodes, check, steps: [step] }, options, { walk, reads: { probes } })
  }

  private searchCall<T>(name: string, search: RouteSearch, options: SearchArguments, walk: () => Walk<T>) {
    const { forward, endCheck, check, maxDepth, from, to, backward } = search
    if (from.key === to.key)
      return this.createCall(name, { start: [from], check: endCheck, steps: [] }, options, { walk, reads: {} })
    // Of two sides each goes half the way.
    const depth = backward ? Math.ceil(maxDepth / 2) : maxDepth
    const step: TraversalStep = { kind: 'repeat', hop: forward, check, minDepth: 1, maxDepth: depth, visits: 'once' }
    // The other end is read too where its node may be gone.
    const start = backward || endCheck.read ? [from, to] : [from]
    return this.createCall(name, { start, check: endCheck, steps: [step] }, options, {
      walk,
      reads: { isSketch: true },
    })
  }

  private createCall<T>(
    name: string,
    waves: Pick<TraversalData, 'start' | 'check' | 'steps'>,
    { budget, consistent }: { readonly budget?: Partial<Budget>; readonly consistent?: boolean },
    { walk, reads }: { readonly walk: () => Walk<T>; readonly reads: WaveOptions },
  ): GraphTraversalCall<T> {
    const { context, type } = this
    const limits = parseOptions('budget', budget, 'requests, units, nodes, edges')
    assertBudget(limits)
    const traversal = { type: type.name, ...waves, consistent }
    const planned = {
      traversal,
      budget: { requests: DEFAULT_BUDGET_REQUESTS, ...limits },
      onBudget: 'error' as const,
      cursor: undefined,
    }
    return new GraphTraversalCall<T>(context, planned, {
      name: `${type.name}.${name}`,
      reads,
      walk,
    })
  }
}

const isCount = (degree: unknown): boolean => typeof degree === 'number' && degree >= 0

const toPublicRoute = ({ nodes, edges, weight }: NodeRoute) => ({ nodes: nodes.map(({ id }) => id), edges, weight })

import type { DeclaredType } from '../../layout/slots.js'
import { accessesOf, accessNamed, typeOf } from '../../plan/identity.js'
import { membersNamed } from '../../plan/members.js'
import { GraphError } from '../../schema/error.js'
import { isCount, shown } from '../../schema/refusal.js'
import { canVanish, refOf } from '../../traverse/hop.js'
import type { Walk } from '../../traverse/need.js'
import { commonNeighbors, type NeighborSearch, similarityOf } from '../../traverse/neighbors.js'
import { type Route, type Search, shortestRoutes } from '../../traverse/shortest.js'
import { type Budget, DEFAULT_REQUESTS, type Hop, type NodeRef, type TraversalStep } from '../../traverse/traversal.js'
import { lightestRoute } from '../../traverse/weighted.js'
import type { Context } from '../context.js'
import { given, givenNumber, optionsOf } from '../given.js'
import type { Condition } from '../types/condition.js'
import { TraversalCall } from './call.js'
import { hopBy, type PathFunction, type Refine } from './hop-by.js'
import { nodeTest } from './node-condition.js'

const DEFAULT_DEPTH = 6
const MOST_ROUTES = 1_000

interface SearchOptions {
  readonly maxDepth?: number
  readonly edges?: Refine
  readonly nodes?: Condition<never>
  readonly weight?: string
  readonly maxWeight?: number
  readonly max?: number
  readonly consistent?: boolean
  readonly budget?: Partial<Budget>
}

interface NeighborOptions {
  readonly edges?: Refine
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

  shortestPath(from: unknown, to: unknown, path: PathFunction, options?: SearchOptions): TraversalCall<unknown> {
    const known = optionsOf('shortestPath', options, 'maxDepth, edges, nodes, weight, maxWeight, consistent, budget')
    const { weight, maxWeight = Number.POSITIVE_INFINITY } = known
    const search = this.searchOf(from, to, path, known)
    givenNumber(maxWeight, 'maxWeight')
    if (weight !== undefined) membersNamed(typeOf(this.context.layout, search.forward.type), weight)
    else given(maxWeight === Number.POSITIVE_INFINITY, 'maxWeight needs the weight that it bounds; give weight')
    return this.call('shortestPath', search, known, function* () {
      const route =
        weight === undefined
          ? (yield* shortestRoutes(search, 1))[0]
          : yield* lightestRoute(search, { weight, maxWeight })
      return route && shownRoute(route)
    })
  }

  shortestPaths(from: unknown, to: unknown, path: PathFunction, options?: SearchOptions): TraversalCall<unknown> {
    const known = optionsOf('shortestPaths', options, 'maxDepth, edges, nodes, max, consistent, budget')
    const { max = MOST_ROUTES } = known
    given(isCount(max), `max is a whole number from 1, instead of ${shown(max)}`)
    const search = this.searchOf(from, to, path, known)
    return this.call('shortestPaths', search, known, function* () {
      const routes = yield* shortestRoutes(search, max + 1)
      if (routes.length > max)
        throw new GraphError('read.max', `there are more than ${max} shortest paths; give a larger max`)
      return routes.map(shownRoute)
    })
  }

  common(ids: readonly unknown[], path: PathFunction, options?: NeighborOptions): TraversalCall<unknown[]> {
    const { search, known } = this.neighborsOf('common', ids, path, options, 'edges, degrees, consistent, budget')
    return this.neighborCall('common', search, known, function* () {
      return (yield* commonNeighbors(search)).map(({ id }) => id)
    })
  }

  similarity(one: unknown, other: unknown, path: PathFunction, options?: NeighborOptions): TraversalCall<unknown> {
    const { search, known } = this.neighborsOf('similarity', [one, other], path, options, 'edges, consistent, budget')
    return this.neighborCall('similarity', search, known, () => similarityOf(search))
  }

  private searchOf(from: unknown, to: unknown, path: PathFunction, options: SearchOptions): Search {
    const { context, type } = this
    const { maxDepth = DEFAULT_DEPTH, edges, nodes, consistent } = options
    given(isCount(maxDepth), `maxDepth is a whole number from 1, instead of ${shown(maxDepth)}`)
    const forward = hopBy(context, type.name, path, edges, consistent)
    if (forward.start !== forward.reached)
      throw new GraphError(
        'read.path',
        `${forward.type}.by.${forward.path} leads from '${forward.start}' to '${forward.reached}'; give a path between nodes of one type`,
      )
    const test = nodes && nodeTest(type, nodes)
    return {
      forward,
      backward: this.opposite(forward, edges, consistent),
      from: refOf(type, from),
      to: refOf(type, to),
      check: { read: test !== undefined || canVanish(context.layout, type.name), test },
      maxDepth,
    }
  }

  /** The same edges from their other end, where that finds exactly the same. */
  private opposite({ type, path, end, read, start }: Hop, edges?: Refine, consistent?: boolean): Hop | undefined {
    const { layout } = this.context
    const { where, limit, reverse } = read
    if (end === undefined || where || limit || reverse || !accessesOf(layout).has(`${type}.${end}`)) return undefined
    const declared = typeOf(layout, type)
    const back = declared.kind === 'edge' && declared.undirected ? path : end
    if (consistent && !accessNamed(layout, type, back).consistent) return undefined
    try {
      return hopBy(this.context, start, { type, path: back }, edges, consistent)
    } catch {
      // Its path cannot say what the other says: one direction is searched.
      return undefined
    }
  }

  private neighborsOf(
    name: string,
    ids: readonly unknown[],
    path: PathFunction,
    options: NeighborOptions | undefined,
    names: string,
  ) {
    const { context, type } = this
    const known = optionsOf(name, options, names)
    const { degrees, edges, consistent } = known
    given(Array.isArray(ids) && ids.length > 1, `${name}() takes the ids of two or more nodes`)
    const refs = [...new Map(ids.map(id => refOf(type, id)).map(ref => [ref.key, ref])).values()]
    given(
      degrees === undefined || (Array.isArray(degrees) && degrees.length === ids.length && refs.length === ids.length),
      'degrees has one number for each node',
    )
    const hop = hopBy(context, type.name, path, edges, consistent)
    const edge = typeOf(context.layout, hop.type)
    const isPlain = Object.keys(hop.read).every(option => option === 'consistent')
    const isKeyed = edge.kind !== 'edge' || edge.key.length > 0 || edge.one !== undefined
    const search: NeighborSearch = {
      hop,
      nodes: refs,
      degrees,
      counter: edge.kind === 'edge' ? edge.count.find(({ end, where }) => end === hop.path && !where)?.into : undefined,
      canProbe: hop.end !== undefined && isPlain && !isKeyed,
      consistent,
    }
    return { search, known }
  }

  private neighborCall<T>(name: string, search: NeighborSearch, options: NeighborOptions, walk: () => Walk<T>) {
    const { hop, nodes } = search
    const step: TraversalStep = { kind: 'hop', hop, check: { read: false } }
    return this.callOf(name, nodes, [step], options, walk)
  }

  private call<T>(name: string, search: Search, options: SearchOptions, walk: () => Walk<T>) {
    const { forward, check, maxDepth, from, to, backward } = search
    // Of two sides each goes half the way.
    const depth = backward ? Math.ceil(maxDepth / 2) : maxDepth
    const step: TraversalStep = { kind: 'repeat', hop: forward, check, minDepth: 1, maxDepth: depth, visits: 'once' }
    return this.callOf(name, backward ? [from, to] : [from], [step], options, walk)
  }

  private callOf<T>(
    name: string,
    start: readonly NodeRef[],
    steps: readonly TraversalStep[],
    { budget, consistent }: { readonly budget?: Partial<Budget>; readonly consistent?: boolean },
    walk: () => Walk<T>,
  ): TraversalCall<T> {
    const { context, type } = this
    const most = optionsOf('budget', budget, 'requests, units, nodes, edges')
    for (const [option, value] of Object.entries(most)) givenNumber(value, option, 1)
    const traversal = { type: type.name, start, check: { read: false }, steps, consistent }
    const planned = {
      traversal,
      budget: { requests: DEFAULT_REQUESTS, ...most },
      onBudget: 'error' as const,
      cursor: undefined,
    }
    return new TraversalCall<T>(context, planned, { name: `${type.name}.${name}`, readsNodes: false, walk })
  }
}

const shownRoute = ({ nodes, edges, weight }: Route) => ({ nodes: nodes.map(({ id }) => id), edges, weight })

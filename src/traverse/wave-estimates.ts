import { countReadUnits } from '../dynamodb/capacity.js'
import { BATCH_GET_KEYS, ITEM_BYTES } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { typeByName } from '../plan/identity.js'
import type { Price } from '../plan/plan.js'
import { type PricedStep, pricePlan, priceStep } from '../plan/price/plan-price.js'
import { ASSUMED_SIZES } from '../plan/price/read-price.js'
import { planMany } from '../plan/read/item.js'
import { planPath } from '../plan/read/path.js'
import { exampleIdOf } from './example-id.js'
import { startOfHop } from './hop.js'
import { isSingle, mostItemsOf, mostOfQueries } from './list-bounds.js'
import type { RepeatStep } from './repeated-hop.js'
import { BATCH_UNITS, type Budget, type Hop, type NodeCheck, PAGE_UNITS, type TraversalData } from './traversal.js'

/** How many edges a node has on a path. */
export interface Degree {
  readonly mean: number
  readonly max?: number | undefined
}

/** Degrees by path, as in `{ 'follow.by.follower': 50 }`. */
export type Degrees = Readonly<Record<string, number | Degree>>

export interface TraversalSizes {
  readonly degrees?: Degrees | undefined
  /** The degree of paths that `degrees` does not name. */
  readonly items?: number | undefined
  /** The size of an item. Without it, the maximum counts with the largest items that DynamoDB stores. */
  readonly itemBytes?: number | undefined
}

/** The expected number, and the largest possible one. */
export interface Estimate {
  readonly expected: number
  readonly maximum: number
}

/** The reads that can be sent at the same time. */
export interface ExplainedWave {
  /** The path of the adjacency lists, as in `follow.by.follower`, or the type of the nodes. */
  readonly of: string
  readonly reads: 'lists' | 'nodes'
  /** Adjacency lists, or nodes. */
  readonly count: Estimate
  readonly requests: Estimate
  readonly units: Estimate
}

export interface WavePlan {
  readonly waves: readonly ExplainedWave[]
  /** One request of each wave: what it asks for is an example, except in the first wave. */
  readonly steps: readonly PricedStep[]
  readonly requests: Estimate
  readonly units: Estimate
  readonly read: Readonly<Record<string, number>>
}

/** What bounds the reads of a traversal, apart from its steps. */
export interface WaveOptions {
  /** The nodes that the result reads: none, those of the last step, or those of all steps. */
  readonly readsNodes?: 'last' | 'all' | undefined
  /** The result reads nodes in turn, until it has so many that exist. */
  readonly enoughNodes?: number | undefined
  /** Lists may be read edge by edge, in batches. */
  readonly probes?: boolean | undefined
  /** Whether the steps only sketch a search, which may follow one side further than the other. */
  readonly isSketch?: boolean | undefined
}

/** The read of one list of a hop: an example, and the most that it can take. */
interface ListRead {
  readonly degree: Estimate
  readonly steps: readonly PricedStep[]
  readonly price: Price
  readonly most: { readonly requests: number; readonly units: number }
}

/** The waves of a traversal, and what they take, before anything is read. */
export class WaveEstimates {
  private readonly waves: ExplainedWave[] = []
  private readonly steps: PricedStep[] = []
  private readonly prices: { readonly price: Price; readonly times: number }[] = []
  private readonly listReads = new Map<Hop, ListRead>()
  private frontier: Estimate
  /** Whether the nodes of the frontier were read. */
  private isRead = false
  /** All nodes that are visited. */
  private visited: Estimate
  /** The most requests that one list takes at once: one for each shard. */
  private atOnce = 1

  constructor(
    private readonly layout: Layout,
    private readonly traversal: TraversalData,
    private readonly sizes: TraversalSizes & { readonly tenant: string | undefined },
    private readonly options: WaveOptions,
  ) {
    const { length } = traversal.start
    this.frontier = { expected: length, maximum: length }
    this.visited = this.frontier
  }

  /** Adds the waves of all steps, and of the nodes that the result reads. */
  addWaves(): this {
    const { type, check, steps } = this.traversal
    const { readsNodes, enoughNodes } = this.options
    this.addCheck(type, check)
    let reached = type
    for (const step of steps) {
      if (step.kind === 'hop') this.addHop(step.hop, step.check)
      else if (step.kind === 'repeat') this.addRepeat(step)
      else if (step.kind === 'limit') this.frontier = mapEstimate(this.frontier, nodes => Math.min(nodes, step.nodes))
      else if (step.kind === 'filter') this.addCheck(step.type, step.check)
      if ('hop' in step) reached = step.hop.reached
    }
    if (readsNodes === 'all') this.addNodes(reached, this.visited)
    if (readsNodes !== 'last' || this.isRead) return this
    if (enoughNodes === undefined) this.addNodes(reached, this.frontier)
    else {
      const { expected, maximum } = this.frontier
      // In place of a node that is gone one more is read, with one more request.
      this.addNodes(reached, { expected: Math.min(expected, enoughNodes), maximum }, maximum)
    }
    return this
  }

  /** Nothing passes the budget: it bounds the maximum. */
  cappedBy({ requests: most, units }: Budget): WavePlan {
    const { waves, steps, prices, options } = this
    const factor = this.traversal.consistent ? 2 : 1
    const requests = capEstimate(totalEstimate(waves.map(wave => wave.requests)), most)
    const unitsEach = ({ reads }: ExplainedWave) => (reads === 'nodes' || options.probes ? BATCH_UNITS : PAGE_UNITS)
    // The last read before the budget ends may be larger than expected.
    const hasBatches = options.probes || waves.some(({ reads }) => reads === 'nodes')
    const last = Math.max(hasBatches ? BATCH_UNITS : 0, this.atOnce * PAGE_UNITS) * factor
    const mostUnits = units === undefined ? Number.POSITIVE_INFINITY : units + last
    const capped = waves.map((wave): ExplainedWave => {
      const cappedRequests = capEstimate(wave.requests, most)
      const mostOfWave = Math.min(cappedRequests.maximum * unitsEach(wave) * factor, mostUnits)
      return {
        ...wave,
        count: capEstimate(wave.count, wave.reads === 'nodes' ? most * BATCH_GET_KEYS : most),
        requests: cappedRequests,
        units: capEstimate(wave.units, Math.max(mostOfWave, wave.units.expected)),
      }
    })
    const read: Record<string, number> = {}
    for (const { price, times } of prices)
      for (const place in price.read) read[place] = (read[place] ?? 0) + price.read[place]! * times
    const total = totalEstimate(capped.map(wave => wave.units))
    const nodeReads = totalEstimate(capped.filter(({ reads }) => reads === 'nodes').map(wave => wave.requests)).maximum
    const batches = options.probes ? requests.maximum : Math.min(nodeReads, requests.maximum)
    const largest = (batches * BATCH_UNITS + (requests.maximum - batches) * PAGE_UNITS) * factor
    const maximum = Math.min(Math.max(total.expected, Math.min(total.maximum, largest)), mostUnits)
    return { waves: capped, steps, requests, read, units: { expected: total.expected, maximum } }
  }

  private addRepeat(step: RepeatStep): void {
    let all: Estimate = step.minDepth === 0 ? this.frontier : { expected: 0, maximum: 0 }
    if (step.until) this.addCheck(step.hop.start, { read: true })
    let areRead = step.minDepth > 0 || this.isRead
    for (let depth = 1; depth <= step.maxDepth && this.frontier.maximum > 0; depth++) {
      this.addHop(step.hop, step.until ? { read: true } : step.check)
      if (depth < step.minDepth) continue
      all = addEstimates(all, this.frontier)
      areRead &&= this.isRead
    }
    this.frontier = all
    this.isRead = areRead
  }

  private addHop(hop: Hop, check: NodeCheck): void {
    const { frontier } = this
    const of = `${hop.type}.by.${hop.path}`
    const { degree, steps, price, most } = this.listReadOf(hop)
    const units = Object.values(price.read).reduce((sum, read) => sum + read, 0)
    this.atOnce = Math.max(this.atOnce, steps.length)
    this.waves.push({
      of,
      reads: 'lists',
      count: frontier,
      requests: {
        expected: frontier.expected * price.requests,
        maximum: Math.max(times(frontier.maximum, most.requests), frontier.expected * price.requests),
      },
      units: {
        expected: frontier.expected * units,
        maximum: Math.max(times(frontier.maximum, most.units), frontier.expected * units),
      },
    })
    this.steps.push(steps.length > 1 ? { ...steps[0]!, price } : steps[0]!)
    this.prices.push({ price, times: frontier.expected })
    this.frontier = {
      expected: Math.min(frontier.expected * degree.expected, MOST_EXPECTED),
      maximum: times(frontier.maximum, degree.maximum),
    }
    this.visited = addEstimates(this.visited, this.frontier)
    // The rows of owned nodes are the nodes.
    this.isRead = hop.end === undefined
    this.addCheck(hop.reached, check)
  }

  /** The read of a list. That of the first wave has the id of the start, and later ones an example. */
  private listReadOf(hop: Hop): ListRead {
    const known = this.waves.length > 0 && this.listReads.get(hop)
    if (known) return known
    const { layout, sizes, options } = this
    const { type, path, read } = hop
    const of = `${type}.by.${path}`
    const degree = degreeOf(sizes, of, isSingle(layout, hop) ? 1 : read.limit)
    const startId = this.waves.length === 0 ? this.traversal.start[0]?.id : undefined
    const start = startOfHop(hop, startId ?? exampleIdOf(typeByName(layout, hop.start)))
    const query = { type, path, ...read, start, tenant: sizes.tenant }
    const items = Math.ceil(degree.expected)
    const plan = planPath(layout, { ...query, sizes: { items, itemBytes: sizes.itemBytes } })
    const { steps } = pricePlan(layout, plan)
    // Rows that a pointer leads to are read in further requests, and a search may read other lists.
    const isBounded =
      steps.every(({ request }) => request.operation === 'query') && !options.probes && !options.isSketch
    const mostItems = isBounded ? mostItemsOf(layout, query, degreeOf(sizes, of).maximum) : Number.POSITIVE_INFINITY
    const most = mostOfQueries(mostItems, steps.length, sizes.itemBytes)
    const listRead = {
      degree: options.isSketch ? { ...degree, maximum: Number.POSITIVE_INFINITY } : degree,
      steps,
      price: mergePrices(steps),
      most: { ...most, units: most.units * (read.consistent ? 2 : 1) },
    }
    if (this.waves.length > 0) this.listReads.set(hop, listRead)
    return listRead
  }

  private addCheck(type: string, { read, test }: NodeCheck): void {
    if ((read || test) && !this.isRead) this.addNodes(type, this.frontier)
  }

  private addNodes(type: string, count: Estimate, mostRequests = Math.ceil(count.maximum / BATCH_GET_KEYS)): void {
    const { layout, sizes } = this
    const { consistent } = this.traversal
    const { steps } = planMany(layout, type, [exampleIdOf(typeByName(layout, type))], {
      tenant: sizes.tenant,
      sizes,
      consistent,
    })
    const step = priceStep(layout, steps[0]!)
    const { price } = step
    const units = Object.values(price.read).reduce((sum, each) => sum + each, 0)
    const mostUnits = countReadUnits(sizes.itemBytes ?? ITEM_BYTES, consistent ? 'strong' : 'eventual')
    this.waves.push({
      of: type,
      reads: 'nodes',
      count,
      requests: { expected: Math.ceil(count.expected / BATCH_GET_KEYS), maximum: mostRequests },
      units: { expected: count.expected * units, maximum: times(count.maximum, Math.max(mostUnits, units)) },
    })
    this.steps.push(step)
    this.prices.push({ price, times: count.expected })
    this.isRead = true
  }
}

/** The most nodes that are expected: the powers of a degree would pass every number. */
const MOST_EXPECTED = 1e15

/** A product in which nothing times anything is nothing. */
const times = (count: number, each: number): number => (count === 0 ? 0 : count * each)

const mapEstimate = ({ expected, maximum }: Estimate, map: (value: number) => number): Estimate => ({
  expected: map(expected),
  maximum: map(maximum),
})

function degreeOf(
  { degrees, items = ASSUMED_SIZES.items }: TraversalSizes,
  of: string,
  limit = Number.POSITIVE_INFINITY,
): Estimate {
  const degree = degrees?.[of] ?? items
  const { mean, max = Number.POSITIVE_INFINITY } = typeof degree === 'number' ? { mean: degree } : degree
  return { expected: Math.min(mean, limit), maximum: Math.min(max, limit) }
}

const mergePrices = (steps: readonly PricedStep[]): Price => {
  const read: Record<string, number> = {}
  for (const { price } of steps) for (const place in price.read) read[place] = (read[place] ?? 0) + price.read[place]!
  return { ...steps[0]!.price, requests: steps.reduce((sum, { price }) => sum + price.requests, 0), read }
}

const addEstimates = (a: Estimate, b: Estimate): Estimate => ({
  expected: a.expected + b.expected,
  maximum: a.maximum + b.maximum,
})

const totalEstimate = (all: readonly Estimate[]): Estimate => all.reduce(addEstimates, { expected: 0, maximum: 0 })

const capEstimate = ({ expected, maximum }: Estimate, most: number): Estimate => ({
  expected,
  maximum: Math.min(maximum, most),
})

import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { typeByName } from '../plan/identity.js'
import type { Price } from '../plan/plan.js'
import { type PricedStep, pricePlan, priceStep } from '../plan/price/plan-price.js'
import { ASSUMED_SIZES } from '../plan/price/read-price.js'
import { planMany } from '../plan/read/item.js'
import { planPath } from '../plan/read/path.js'
import { exampleIdOf } from './example-id.js'
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

/** The waves of a traversal, and what they take, before anything is read. */
export class WaveEstimates {
  private readonly waves: ExplainedWave[] = []
  private readonly steps: PricedStep[] = []
  private readonly prices: { readonly price: Price; readonly times: number }[] = []
  private frontier: Estimate
  /** The most requests that one list takes at once: one for each shard. */
  private atOnce = 1

  constructor(
    private readonly layout: Layout,
    private readonly traversal: TraversalData,
    private readonly sizes: TraversalSizes,
    private readonly tenant: string | undefined,
  ) {
    const { length } = traversal.start
    this.frontier = { expected: length, maximum: length }
  }

  /** Adds the waves of all steps, and of the nodes that the result reads. */
  addWaves(readsNodes: boolean): this {
    const { type, check, steps } = this.traversal
    this.addCheck(type, check)
    let reached = type
    for (const step of steps) {
      if (step.kind === 'hop') {
        this.addHop(step.hop, step.check)
        reached = step.hop.reached
      } else if (step.kind === 'repeat') {
        let all: Estimate = step.minDepth === 0 ? this.frontier : { expected: 0, maximum: 0 }
        for (let depth = 1; depth <= step.maxDepth && this.frontier.expected > 0; depth++) {
          this.addHop(step.hop, step.check, step.until !== undefined)
          if (depth >= step.minDepth) all = addEstimates(all, this.frontier)
        }
        this.frontier = all
        reached = step.hop.reached
      } else if (step.kind === 'limit') {
        const { expected, maximum } = this.frontier
        this.frontier = { expected: Math.min(expected, step.nodes), maximum: Math.min(maximum, step.nodes) }
      } else if (step.kind === 'filter') this.addCheck(step.type, step.check)
    }
    if (readsNodes && !this.hasRead(reached)) this.addNodes(reached)
    return this
  }

  /** Nothing passes the budget: it bounds the maximum. `probes`: lists may be read edge by edge, in batches. */
  cappedBy({ requests: most, units }: Budget, probes = false): WavePlan {
    const { waves, steps, prices } = this
    const capped = waves.map(wave => ({ ...wave, requests: capEstimate(wave.requests, most) }))
    const requests = capEstimate(totalEstimate(capped.map(wave => wave.requests)), most)
    const read: Record<string, number> = {}
    for (const { price, times } of prices)
      for (const place in price.read) read[place] = (read[place] ?? 0) + price.read[place]! * times
    const factor = this.traversal.consistent ? 2 : 1
    const expected = totalEstimate(waves.map(wave => wave.units)).expected
    const nodeReads = totalEstimate(capped.filter(({ reads }) => reads === 'nodes').map(wave => wave.requests)).maximum
    const batches = probes ? requests.maximum : Math.min(nodeReads, requests.maximum)
    const largest = batches * BATCH_UNITS + (requests.maximum - batches) * PAGE_UNITS
    const maximum = Math.max(expected, largest * factor)
    // The last read before the budget ends may be larger than expected.
    const last = Math.max(batches > 0 ? BATCH_UNITS : 0, this.atOnce * PAGE_UNITS) * factor
    const bound = units === undefined ? maximum : units + last
    return { waves: capped, steps, requests, read, units: { expected, maximum: Math.min(maximum, bound) } }
  }

  private addHop(hop: Hop, check: NodeCheck, reads = false): void {
    const { layout, sizes, tenant, frontier } = this
    const { type, path, read } = hop
    const of = `${type}.by.${path}`
    const declared = typeByName(layout, type)
    // Each node at this end has at most one edge of this type.
    const isOne = declared.kind === 'edge' && declared.one === path
    const degree = degreeOf(sizes, of, isOne ? 1 : read.limit)
    const startId = this.waves.length === 0 ? this.traversal.start[0]?.id : undefined
    const id = startId ?? exampleIdOf(typeByName(layout, hop.start))
    const query = { type, path, ...read, start: id, tenant }
    const plan = planPath(layout, {
      ...query,
      sizes: { items: Math.ceil(degree.expected), itemBytes: sizes.itemBytes },
    })
    const { steps } = pricePlan(layout, plan)
    this.atOnce = Math.max(this.atOnce, steps.length)
    this.addListWave({ of, reads: 'lists', count: frontier }, { ...steps[0]!, price: mergePrices(steps) })
    this.frontier = {
      expected: frontier.expected * degree.expected,
      maximum: frontier.maximum * degree.maximum,
    }
    this.addCheck(hop.reached, reads ? { read: true } : check)
  }

  private addCheck(type: string, { read, test }: NodeCheck): void {
    if ((read || test) && !this.hasRead(type)) this.addNodes(type)
  }

  /** Rows of owned nodes are the nodes: nothing is read again. */
  private hasRead(type: string): boolean {
    const last = this.waves.at(-1)
    return last !== undefined && (last.reads === 'nodes' ? last.of === type : last.of.startsWith(`${type}.by.`))
  }

  private addNodes(type: string): void {
    const { layout, sizes, tenant, frontier } = this
    const { steps } = planMany(layout, type, [exampleIdOf(typeByName(layout, type))], {
      tenant,
      sizes,
      consistent: this.traversal.consistent,
    })
    const step = priceStep(layout, steps[0]!)
    const { price } = step
    const requests = batchesOf(frontier)
    const units = Object.values(price.read).reduce((sum, each) => sum + each, 0)
    this.waves.push({
      of: type,
      reads: 'nodes',
      count: frontier,
      requests,
      units: { expected: frontier.expected * units, maximum: requests.maximum * BATCH_UNITS },
    })
    this.steps.push(step)
    this.prices.push({ price, times: frontier.expected })
  }

  private addListWave(wave: Pick<ExplainedWave, 'of' | 'reads' | 'count'>, step: PricedStep): void {
    const { count } = wave
    const { price } = step
    const units = Object.values(price.read).reduce((sum, read) => sum + read, 0)
    this.waves.push({
      ...wave,
      requests: { expected: count.expected * price.requests, maximum: Number.POSITIVE_INFINITY },
      units: { expected: count.expected * units, maximum: Number.POSITIVE_INFINITY },
    })
    this.steps.push(step)
    this.prices.push({ price, times: count.expected })
  }
}

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

const batchesOf = ({ expected, maximum }: Estimate): Estimate => ({
  expected: Math.ceil(expected / BATCH_GET_KEYS),
  maximum: Math.ceil(maximum / BATCH_GET_KEYS),
})

const addEstimates = (a: Estimate, b: Estimate): Estimate => ({
  expected: a.expected + b.expected,
  maximum: a.maximum + b.maximum,
})

const totalEstimate = (all: readonly Estimate[]): Estimate => all.reduce(addEstimates, { expected: 0, maximum: 0 })

const capEstimate = ({ expected, maximum }: Estimate, most: number): Estimate => ({
  expected,
  maximum: Math.min(maximum, most),
})

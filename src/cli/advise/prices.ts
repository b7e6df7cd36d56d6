import { countReadUnits } from '../../dynamodb/capacity.js'
import {
  HOUR_SECONDS,
  MONTH_HOURS,
  READ_CAPACITY_HOUR_DOLLARS,
  READ_MILLION_DOLLARS,
  STORAGE_GIGABYTE_MONTH_DOLLARS,
  WRITE_CAPACITY_HOUR_DOLLARS,
  WRITE_MILLION_DOLLARS,
} from '../../dynamodb/prices.js'
import { type PricedPlan, pricePlan } from '../../plan/price/plan-price.js'
import { totalPrice } from '../../plan/price/read-price.js'
import { planPath } from '../../plan/read/path.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import type { Alternative } from './alternatives.js'
import type { EdgeFacts } from './facts.js'
import type { EdgeMeasurement, MeasuredUnits } from './measurement.js'

/** The cost of an alternative, per second and per month. */
export interface AlternativePrices {
  readonly unitsPerSecond: MeasuredUnits
  /** The units of one read from each end. */
  readonly reads: Readonly<Record<string, { readonly units: number; readonly requests: number }>>
  readonly dollarsPerMonth: {
    readonly onDemand: number
    readonly provisioned: number
    readonly storage: number
  }
}

const MILLION = 1_000_000
const GIGABYTE = 1024 ** 3
/** The share of provisioned capacity in use, which autoscaling targets. */
const UTILIZATION = 0.7
export const MONTH_SECONDS = MONTH_HOURS * HOUR_SECONDS
/** A copy is updated in a transaction that checks its source. */
const COPY_WRITE_FACTOR = 2

export function priceAlternative(
  edge: DeclaredEdge,
  facts: EdgeFacts,
  alternative: Alternative,
  measured: EdgeMeasurement,
): AlternativePrices {
  const reads = Object.fromEntries(
    edge.ends.flatMap(({ name }) => {
      const read = priceRead(edge, facts, alternative, measured, name)
      return read ? [[name, read] as const] : []
    }),
  )
  const read = sumNumbers(Object.entries(reads).map(([end, { units }]) => units * facts.ends[end]!.readsPerSecond))
  const rates = { put: facts.writesPerSecond, update: facts.updatesPerSecond, delete: facts.deletesPerSecond }
  const verbs = ['put', 'update', 'delete'] as const
  const unitsPerSecond = {
    read: read + sumNumbers(verbs.map(verb => rates[verb] * measured[verb].read)),
    write:
      sumNumbers(verbs.map(verb => rates[verb] * measured[verb].write)) +
      copyWriteUnits(edge, facts, alternative, measured),
  }
  return {
    unitsPerSecond,
    reads,
    dollarsPerMonth: { ...dollarsOf(unitsPerSecond), storage: storageDollarsOf(facts, measured) },
  }
}

/** The units of one read from an end, from its plan; undefined if nothing is read from there. */
function priceRead(
  edge: DeclaredEdge,
  facts: EdgeFacts,
  { ways, carried, embedded }: Alternative,
  { layout, edgeBytes }: EdgeMeasurement,
  end: string,
) {
  const { typical, consistent, shows, wholeBytes, readsPerSecond } = facts.ends[end]!
  if (readsPerSecond === 0 || ways[end] === 'none') return undefined
  const isFetched = shows !== 'ids' && !carried.includes(end)
  const plan = (itemBytes: number): PricedPlan =>
    pricePlan(
      layout,
      planPath(layout, {
        type: edge.name,
        path: end,
        start: 'n',
        consistent: consistent && canReadConsistently(edge, ways, end),
        sizes: { items: typical, itemBytes },
        ...(isFetched && { nodes: 'joined' as const }),
      }),
    )
  // Edges and nodes have different sizes.
  const edges = plan(edgeBytes).steps.filter(({ deferredKeys }) => !deferredKeys)
  const nodes = plan(wholeBytes).steps.filter(({ deferredKeys }) => deferredKeys)
  const inNode = embedded === end && !isFetched
  const total = totalPrice((inNode ? [] : [...edges, ...nodes]).map(({ price }) => price))
  if (!inNode) return { units: sumNumbers(Object.values(total.read)), requests: total.requests }
  const bytes = typical * facts.bytes + wholeBytes
  return { units: countReadUnits(bytes, consistent ? 'strong' : 'eventual'), requests: 1 }
}

export const isConsistentWay = (way: string | undefined): boolean => way === 'adjacent' || way === 'mirror'

/** Returns whether reads from an end can be strongly consistent; reads of an undirected edge use both ends. */
export const canReadConsistently = ({ undirected }: DeclaredEdge, ways: Alternative['ways'], end: string): boolean =>
  undirected ? Object.values(ways).every(isConsistentWay) : isConsistentWay(ways[end])

/** The cost to update copies when their sources change: one write for each edge of the source. */
function copyWriteUnits(
  { ends }: DeclaredEdge,
  facts: EdgeFacts,
  { carried }: Alternative,
  { update }: EdgeMeasurement,
): number {
  return sumNumbers(
    carried.map(end => {
      const source = ends.find(({ name }) => name !== end)!.name
      return facts.ends[end]!.fewChangesPerSecond * facts.ends[source]!.typical * update.write * COPY_WRITE_FACTOR
    }),
  )
}

export function dollarsOf({ read, write }: MeasuredUnits): { onDemand: number; provisioned: number } {
  return {
    onDemand: (MONTH_SECONDS / MILLION) * (read * READ_MILLION_DOLLARS + write * WRITE_MILLION_DOLLARS),
    provisioned:
      MONTH_HOURS *
      (Math.ceil(read / UTILIZATION) * READ_CAPACITY_HOUR_DOLLARS +
        Math.ceil(write / UTILIZATION) * WRITE_CAPACITY_HOUR_DOLLARS),
  }
}

const storageDollarsOf = ({ total }: EdgeFacts, { storedBytes }: EdgeMeasurement) =>
  ((total * storedBytes) / GIGABYTE) * STORAGE_GIGABYTE_MONTH_DOLLARS

const sumNumbers = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

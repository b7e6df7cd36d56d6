import { MONTH_HOURS } from '../../dynamodb/prices.js'
import type { EdgeAdvice } from './advice.js'
import type { Facts } from './facts.js'
import { dollarsOf, MONTH_SECONDS } from './prices.js'

/** Prices of us-east-1, late 2025. Neptune Serverless does not scale below one capacity unit (NCU). */
const NCU_HOUR_DOLLARS = 0.1608
const NCU_MIN = 1
export const NEPTUNE_STORAGE_GIGABYTE_MONTH_DOLLARS = 0.1
export const NEPTUNE_IO_MILLION_DOLLARS = 0.2

/** Conditions under which a graph database is the better choice. */
export interface NeptuneAdvice {
  readonly idleDollarsPerMonth: number
  readonly hops: number
  readonly fanOut: number
  /** the cost of one traversal on DynamoDB */
  readonly requests: number
  readonly units: number
  readonly dollarsPerMonth: number
  /** The rate of traversals above which DynamoDB costs more than the smallest Neptune. */
  readonly evenPerSecond: number | undefined
  readonly answer: 'dynamodb' | 'neptune'
  readonly because: string
}

/** Above this number of sequential or concurrent requests, a traversal is slow at any price. */
const REQUESTS_MAX = 1000
const HOPS_MAX = 3

/** Compares the cost of traversals, as reads of neighbors, with the smallest Neptune. */
export function adviseNeptune(facts: Facts, edges: readonly EdgeAdvice[]): NeptuneAdvice {
  const { hops, perSecond } = facts.traversals
  const reads = edges.flatMap(({ edge, choices }) =>
    Object.entries(choices[0]!.reads).map(([end, { units }]) => ({
      units,
      fanOut: facts.edges[edge]!.ends[end]!.typical,
    })),
  )
  const widest = reads.sort((a, b) => b.fanOut - a.fanOut)[0] ?? { units: 0, fanOut: 0 }
  const requests = Array.from({ length: hops }, (_, hop) => widest.fanOut ** hop).reduce((all, each) => all + each, 0)
  const units = requests * widest.units
  const { onDemand: dollars } = dollarsOf({ read: units * perSecond, write: 0 })
  const idle = NCU_HOUR_DOLLARS * NCU_MIN * MONTH_HOURS
  const { onDemand: each } = dollarsOf({ read: units / MONTH_SECONDS, write: 0 })
  const even = hops > 1 && each > 0 ? idle / (each * MONTH_SECONDS) : undefined
  return {
    idleDollarsPerMonth: idle,
    hops,
    fanOut: widest.fanOut,
    requests,
    units,
    dollarsPerMonth: dollars,
    evenPerSecond: even,
    ...chooseDatabase(hops, requests, dollars, idle),
  }
}

function chooseDatabase(
  hops: number,
  requests: number,
  dollars: number,
  idle: number,
): Pick<NeptuneAdvice, 'answer' | 'because'> {
  if (hops <= 1)
    return {
      answer: 'dynamodb',
      because: 'DynamoDB reads neighbors efficiently, and the facts contain no traversal',
    }
  if (hops > HOPS_MAX || requests > REQUESTS_MAX)
    return {
      answer: 'neptune',
      because: `one traversal takes ${requests.toLocaleString('en-US')} requests over ${hops} hops and is slow at any price`,
    }
  return dollars > idle
    ? { answer: 'neptune', because: 'the traversals alone cost more than the smallest Neptune' }
    : { answer: 'dynamodb', because: 'the traversals cost less than the smallest Neptune, idle' }
}

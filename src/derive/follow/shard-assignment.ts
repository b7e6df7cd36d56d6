import type { Lease } from './lease.js'
import { shardNameOf } from './shards.js'

/** Where a follower stands among the others of its group. */
export interface AssignmentState {
  readonly name: string
  /** The shards that it reads, by `nameOf`. */
  readonly held: ReadonlySet<string>
  readonly nowMs: number
  /** A number in [0, 1). */
  readonly random: () => number
}

/**
 * The leases to take now: of those that nobody has, as many as make an even share; where there is none to be had and
 * another has more than its share, one of its.
 */
export function selectLeasesToTake(leases: readonly Lease[], { name, held, nowMs, random }: AssignmentState): Lease[] {
  const leasesByOwner = new Map<string, Lease[]>()
  const free: Lease[] = []
  for (const lease of leases) {
    if (held.has(shardNameOf(lease))) continue
    // One that has this name and is not held was left by a crash.
    if (!lease.owner || lease.owner === name || lease.untilMs <= nowMs) free.push(lease)
    else leasesByOwner.set(lease.owner, [...(leasesByOwner.get(lease.owner) ?? []), lease])
  }
  const share = Math.ceil(leases.length / (leasesByOwner.size + 1))
  const missing = share - held.size
  if (missing <= 0) return []
  if (free.length > 0) return shuffle(free, random).slice(0, missing)
  const [busiest = []] = [...leasesByOwner.values()].sort((a, b) => b.length - a.length)
  return busiest.length > share || busiest.length - held.size > 1 ? shuffle(busiest, random).slice(0, 1) : []
}

/** Followers that look at the same moment do not all reach for the same. */
function shuffle<T>(all: readonly T[], random: () => number): T[] {
  const remaining = [...all]
  return all.map(() => remaining.splice(Math.floor(random() * remaining.length), 1)[0]!)
}

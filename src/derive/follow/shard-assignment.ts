import type { Lease } from './lease.js'
import { shardNameOf } from './shards.js'

/** The state of a follower in relation to its group. */
export interface AssignmentState {
  readonly name: string
  /** Names of the shards that the follower reads, from `shardNameOf`. */
  readonly held: ReadonlySet<string>
  readonly nowMs: number
  /** Returns a number in [0, 1). */
  readonly random: () => number
}

/**
 * Selects leases to take now: free leases up to an even share or, if none is free, one lease of a follower with more
 * than its share.
 */
export function selectLeasesToTake(leases: readonly Lease[], { name, held, nowMs, random }: AssignmentState): Lease[] {
  const leasesByOwner = new Map<string, Lease[]>()
  const free: Lease[] = []
  for (const lease of leases) {
    if (held.has(shardNameOf(lease))) continue
    // A lease under our own name that is not held was left by a crash.
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

/** Shuffles leases, so that concurrent followers do not all try the same one. */
function shuffle<T>(all: readonly T[], random: () => number): T[] {
  const remaining = [...all]
  return all.map(() => remaining.splice(Math.floor(random() * remaining.length), 1)[0]!)
}

import type { Lease } from './lease.js'
import { nameOf } from './shards.js'

/** Where a follower stands among the others of its group. */
export interface Standing {
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
export function toTake(leases: readonly Lease[], { name, held, nowMs, random }: Standing): Lease[] {
  const others = new Map<string, Lease[]>()
  const free: Lease[] = []
  for (const lease of leases) {
    if (held.has(nameOf(lease))) continue
    // One that has this name and is not held was left by a crash.
    if (!lease.owner || lease.owner === name || lease.untilMs <= nowMs) free.push(lease)
    else others.set(lease.owner, [...(others.get(lease.owner) ?? []), lease])
  }
  const share = Math.ceil(leases.length / (others.size + 1))
  const room = share - held.size
  if (room <= 0) return []
  if (free.length > 0) return shuffled(free, random).slice(0, room)
  const [most = []] = [...others.values()].sort((a, b) => b.length - a.length)
  return most.length > share || most.length - held.size > 1 ? shuffled(most, random).slice(0, 1) : []
}

/** Followers that look at the same moment do not all reach for the same. */
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const left = [...all]
  return all.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!)
}

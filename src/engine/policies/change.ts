import type { Engine } from '../engine.js'
import { inUse, ServiceError } from '../errors.js'
import type { Stream } from '../streams/stream.js'
import type { Table } from '../tables/table.js'
import { STILL_IN_USE } from '../tables/transition.js'
import type { Policy } from './policy.js'

/** Asks for there being no policy. */
const NO_POLICY = 'NO_POLICY'

export const policyNotFound = (detail: string) =>
  new ServiceError('PolicyNotFoundException', `Resource-based policy not found for the provided ResourceArn: ${detail}`)

/** The policy that shows now. */
export function shownPolicy(engine: Engine, holder: Table | Stream): Policy | undefined {
  const { policy } = holder
  return isPending(engine, policy) ? policy!.pending!.shown : policy
}

export function isPending({ now }: Engine, policy: Policy | undefined): boolean {
  return policy?.pending !== undefined && now() < policy.pending.untilMs
}

/** A deletion has a revision, too, as long as it is under way. */
export function revisionOf(engine: Engine, { policy }: Table | Stream): string | undefined {
  return policy && (policy.document !== undefined || isPending(engine, policy)) ? `${policy.revisionMs}` : undefined
}

export function checkRevision(engine: Engine, holder: Table | Stream, expected: string | undefined): void {
  if (expected === undefined) return
  const revision = revisionOf(engine, holder)
  const name = nameOf(holder)
  if (expected === NO_POLICY) {
    if (revision === undefined) return
    throw policyNotFound(
      `Requested policy update expecting none to be present for ${name}, ` +
        `but a policy exists with revision id ${revision}.`,
    )
  }
  if (expected === revision) return
  const found =
    revision === undefined
      ? `${name} has no associated policy.`
      : `the policy associated to target ${name} has revision id ${revision}.`
  throw policyNotFound(`Requested update for policy with revision id ${expected}, but ${found}`)
}

/** Puts a policy in the place of another, or nothing. Until that shows there is no other change. */
export function changePolicy(engine: Engine, holder: Table | Stream, document: string | undefined): Policy {
  const { policy } = holder
  if (isPending(engine, policy))
    throw inUse(
      `${STILL_IN_USE}${isTable(holder) ? 'Table' : 'Stream'} is pending previous resource-based policy update: ` +
        (isTable(holder) ? holder.name : holder.label),
    )
  const { transitionMs } = engine.settings
  // Revisions grow, also within a millisecond.
  const revisionMs = Math.max(engine.now(), (policy?.revisionMs ?? 0) + 1)
  const shown = policy && { document: policy.document, revisionMs: policy.revisionMs }
  const pending = transitionMs > 0 ? { untilMs: engine.now() + transitionMs, shown } : undefined
  holder.policy = { document, revisionMs, ...(pending && { pending }) }
  return holder.policy
}

function nameOf(holder: Table | Stream): string {
  return isTable(holder) ? `table ${holder.name}` : `stream ${holder.label}`
}

export function isTable(holder: Table | Stream): holder is Table {
  return 'transition' in holder
}

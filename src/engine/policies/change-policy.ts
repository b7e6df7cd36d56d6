import type { Engine } from '../engine.js'
import { inUseError, ServiceError } from '../errors.js'
import type { Stream } from '../streams/stream.js'
import type { Table } from '../tables/table.js'
import { STILL_IN_USE } from '../tables/table-transition.js'
import type { Policy } from './policy.js'

/** The expected revision of a resource without a policy. */
const NO_POLICY = 'NO_POLICY'

export const policyNotFoundError = (detail: string) =>
  new ServiceError('PolicyNotFoundException', `Resource-based policy not found for the provided ResourceArn: ${detail}`)

/** Returns the policy that reads currently show. */
export function visiblePolicyOf(engine: Engine, holder: Table | Stream): Policy | undefined {
  const { policy } = holder
  return isPolicyPending(engine, policy) ? policy!.pending!.shown : policy
}

export function isPolicyPending({ now }: Engine, policy: Policy | undefined): boolean {
  return policy?.pending !== undefined && now() < policy.pending.untilMs
}

/** Returns the revision of a policy. A pending deletion has a revision too. */
export function policyRevisionOf(engine: Engine, { policy }: Table | Stream): string | undefined {
  return policy && (policy.document !== undefined || isPolicyPending(engine, policy))
    ? `${policy.revisionMs}`
    : undefined
}

export function checkPolicyRevision(engine: Engine, holder: Table | Stream, expected: string | undefined): void {
  if (expected === undefined) return
  const revision = policyRevisionOf(engine, holder)
  const name = holderNameOf(holder)
  if (expected === NO_POLICY) {
    if (revision === undefined) return
    throw policyNotFoundError(
      `Requested policy update expecting none to be present for ${name}, ` +
        `but a policy exists with revision id ${revision}.`,
    )
  }
  if (expected === revision) return
  const found =
    revision === undefined
      ? `${name} has no associated policy.`
      : `the policy associated to target ${name} has revision id ${revision}.`
  throw policyNotFoundError(`Requested update for policy with revision id ${expected}, but ${found}`)
}

/** Replaces or removes a policy. No other change is possible until the change is visible. */
export function changePolicy(engine: Engine, holder: Table | Stream, document: string | undefined): Policy {
  const { policy } = holder
  if (isPolicyPending(engine, policy))
    throw inUseError(
      `${STILL_IN_USE}${isTableHolder(holder) ? 'Table' : 'Stream'} is pending previous resource-based policy update: ` +
        (isTableHolder(holder) ? holder.name : holder.label),
    )
  const { transitionMs } = engine.settings
  // Revisions increase even within a millisecond.
  const revisionMs = Math.max(engine.now(), (policy?.revisionMs ?? 0) + 1)
  const shown = policy && { document: policy.document, revisionMs: policy.revisionMs }
  const pending = transitionMs > 0 ? { untilMs: engine.now() + transitionMs, shown } : undefined
  holder.policy = { document, revisionMs, ...(pending && { pending }) }
  return holder.policy
}

function holderNameOf(holder: Table | Stream): string {
  return isTableHolder(holder) ? `table ${holder.name}` : `stream ${holder.label}`
}

export function isTableHolder(holder: Table | Stream): holder is Table {
  return 'transition' in holder
}

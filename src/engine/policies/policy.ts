import { parsePolicy, policyTextOf } from './policy-document.js'

/** A resource-based policy of a table or stream. It is stored and returned but not enforced. */
export interface Policy {
  /** The normalized text; undefined after a deletion. */
  readonly document: string | undefined
  /** The time of the last change, which is also the revision. */
  readonly revisionMs: number
  /** A change that is not visible yet, for the duration of `transitionMs`. */
  readonly pending?: { readonly untilMs: number; readonly shown: Policy | undefined } | undefined
}

/** Creates the policy of a new table. */
export function newPolicy(text: string | undefined, nowMs: number): Policy | undefined {
  return text === undefined ? undefined : { document: policyTextOf(parsePolicy(text)), revisionMs: nowMs }
}

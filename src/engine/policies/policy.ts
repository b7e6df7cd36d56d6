import { parsePolicy, policyTextOf } from './policy-document.js'

/** A resource-based policy of a table or of a stream. It is kept and answered, and nobody is refused for it. */
export interface Policy {
  /** In the form in which policies are compared; nothing once it was deleted. */
  readonly document: string | undefined
  /** When it was changed, which is its revision, too. */
  readonly revisionMs: number
  /** A change that does not show yet, for as long as the engine is told to take for changes. */
  readonly pending?: { readonly untilMs: number; readonly shown: Policy | undefined } | undefined
}

/** The policy that a table is created with. */
export function newPolicy(text: string | undefined, nowMs: number): Policy | undefined {
  return text === undefined ? undefined : { document: policyTextOf(parsePolicy(text)), revisionMs: nowMs }
}

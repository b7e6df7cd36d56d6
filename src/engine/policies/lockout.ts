import type { CanonicalPolicy, CanonicalPolicyStatement, OneOrMore } from './policy-document.js'
import { isEverybody, isUnconditional, toList } from './policy-document.validation.js'

const ACTION = 'dynamodb:putresourcepolicy'

/**
 * Returns whether a policy prevents its author from replacing it. Only the account of the author is known, so
 * conditions are assumed not to match.
 */
export function isLockingOut({ Statement: statements }: CanonicalPolicy, arn: string, accountId: string): boolean {
  return statements.some(
    statement =>
      statement.Effect === 'Deny' &&
      isUnconditional(statement) &&
      isApplicableToAccount(statement, accountId) &&
      isApplicable(statement.Action, statement.NotAction, action => isMatchingPattern(action.toLowerCase(), ACTION)) &&
      isApplicable(statement.Resource, statement.NotResource, resource => isMatchingPattern(resource, arn)),
  )
}

function isApplicableToAccount({ Principal }: CanonicalPolicyStatement, accountId: string): boolean {
  if (isEverybody(Principal)) return true
  return (
    Principal !== undefined && Principal !== '*' && toList(Principal.AWS).includes(`arn:aws:iam::${accountId}:root`)
  )
}

function isApplicable(
  included: OneOrMore | undefined,
  excluded: OneOrMore | undefined,
  isMatch: (value: string) => boolean,
): boolean {
  return included === undefined ? !toList(excluded).some(isMatch) : toList(included).some(isMatch)
}

/**
 * Matches a pattern in which `*` stands for any text and `?` for any character. After a mismatch only the last star is
 * retried, because earlier stars matched as little as possible. Retrying all of them would take exponential time.
 */
function isMatchingPattern(pattern: string, text: string): boolean {
  let at = 0
  let retry: { readonly at: number; from: number } | undefined
  for (let from = 0; from < text.length; ) {
    if (pattern[at] === '*') {
      retry = { at: ++at, from }
    } else if (pattern[at] === '?' || pattern[at] === text[from]) {
      at++
      from++
    } else {
      if (!retry) return false
      at = retry.at
      from = ++retry.from
    }
  }
  return /^\**$/.test(pattern.slice(at))
}

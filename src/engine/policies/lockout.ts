import type { CanonicalPolicy, CanonicalPolicyStatement, OneOrMore } from './policy-document.js'
import { isEverybody, isUnconditional, toList } from './policy-document.validation.js'

const ACTION = 'dynamodb:putresourcepolicy'

/**
 * Whether a policy keeps whoever puts it from putting another. All that is known of them is their account, so that a
 * condition is taken for one that they do not meet.
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
  isMatch: (one: string) => boolean,
): boolean {
  return included === undefined ? !toList(excluded).some(isMatch) : toList(included).some(isMatch)
}

/**
 * A star stands for any text, and a question mark for any character. What does not fit is tried again from the last
 * star alone, since each takes as little as it can: a pattern of many stars would else take for ever.
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

import type { OneOrMore, PolicyDocument, Statement } from './document.js'
import { isEverybody, isUnconditional, list } from './document.validation.js'

const ACTION = 'dynamodb:putresourcepolicy'

/**
 * Whether a policy keeps whoever puts it from putting another. All that is known of them is their account, so that a
 * condition is taken for one that they do not meet.
 */
export function locksOut({ Statement: statements }: PolicyDocument, arn: string, accountId: string): boolean {
  return statements.some(
    statement =>
      statement.Effect === 'Deny' &&
      isUnconditional(statement) &&
      isAboutAccount(statement, accountId) &&
      isAbout(statement.Action, statement.NotAction, action => matches(action.toLowerCase(), ACTION)) &&
      isAbout(statement.Resource, statement.NotResource, resource => matches(resource, arn)),
  )
}

function isAboutAccount({ Principal }: Statement, accountId: string): boolean {
  if (isEverybody(Principal)) return true
  return Principal !== undefined && Principal !== '*' && list(Principal.AWS).includes(`arn:aws:iam::${accountId}:root`)
}

function isAbout(
  these: OneOrMore | undefined,
  allBut: OneOrMore | undefined,
  isMeant: (one: string) => boolean,
): boolean {
  return these === undefined ? !list(allBut).some(isMeant) : list(these).some(isMeant)
}

/**
 * A star stands for any text, and a question mark for any character. What does not fit is tried again from the last
 * star alone, since each takes as little as it can: a pattern of many stars would else take for ever.
 */
function matches(pattern: string, text: string): boolean {
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

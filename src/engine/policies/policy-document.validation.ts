import { invalidParameterError, validationError } from '../errors.js'
import {
  type CanonicalPolicy,
  type CanonicalPolicyStatement,
  invalidPolicyError,
  type OneOrMore,
  type PolicyPrincipal,
} from './policy-document.js'

/** The type of resource that a policy is attached to. */
export type PolicyTarget = 'table' | 'stream'

/** Actions that only streams support. */
const STREAM_ACTIONS: readonly string[] = ['describestream', 'getrecords', 'getsharditerator']
const RESOURCE = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:(.+)$/
const PRINCIPAL = /^(\*|arn:[^:]*:(iam|sts)::\d{12}:.+)$/

/** Checks a policy beyond its syntax. Principals are not looked up. */
export function checkPolicyDocument({ Statement: statements }: CanonicalPolicy, attached: PolicyTarget): void {
  const sids = statements.flatMap(({ Sid }) => (Sid ? [Sid] : []))
  if (new Set(sids).size < sids.length) throw invalidPolicyError('The Statement Ids in the policy are not unique')
  for (const statement of statements) {
    checkActions(toList(statement.Action ?? statement.NotAction), attached)
    checkResources(toList(statement.Resource ?? statement.NotResource), attached)
    checkPrincipals((statement.Principal ?? statement.NotPrincipal)!)
  }
  if (statements.some(isAllowingEverybody))
    throw validationError(
      'Resource-based policy grants unbounded access in one or more elements. ' +
        'Please revise the policy to ensure least-privilege form of access',
    )
}

export const toList = (values: OneOrMore = []): readonly string[] => [values].flat()

/** Returns whether a statement applies to everybody. */
export function isEverybody(principal: PolicyPrincipal | undefined): boolean {
  return principal === '*' || toList(principal?.AWS).includes('*')
}

/** Returns whether a statement has no condition. */
export const isUnconditional = ({ Condition = {} }: CanonicalPolicyStatement) => Object.keys(Condition).length === 0

function isAllowingEverybody(statement: CanonicalPolicyStatement): boolean {
  return statement.Effect === 'Allow' && isUnconditional(statement) && isEverybody(statement.Principal)
}

function checkActions(actions: readonly string[], attached: PolicyTarget): void {
  const invalid = actions.filter(action => action !== '*' && !isAction(action.toLowerCase(), attached))
  if (invalid.length === 0) return
  const names = invalid.map(action => `"${action}"`).join(', ')
  throw invalidPolicyError(`The following action names are invalid: ${names}`)
}

function isAction(action: string, attached: PolicyTarget): boolean {
  const [service, name] = action.split(':')
  return service === 'dynamodb' && !!name && (attached === 'stream' || !STREAM_ACTIONS.includes(name))
}

function checkResources(resources: readonly string[], attached: PolicyTarget): void {
  for (const resource of resources) {
    if (resource === '*') continue
    const [, relative] = RESOURCE.exec(resource) ?? []
    if (relative === undefined) throw invalidPolicyError(`Resource ${resource} must be in ARN format or "*".`)
    const isOfStream = relative.split('/')[2] === 'stream'
    const isOther = attached === 'table' ? isOfStream : !isOfStream && !/[*?]/.test(relative)
    if (isOther) throw invalidPolicyError(`The relative-id "${relative}" is invalid for ARN "${resource}"`)
  }
}

function checkPrincipals(principal: PolicyPrincipal): void {
  if (principal === '*') return
  for (const arn of toList(principal.AWS))
    if (!PRINCIPAL.test(arn)) throw invalidParameterError('Invalid principal in policy document.')
}

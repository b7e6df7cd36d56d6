import { invalidParameter, validation } from '../errors.js'
import { invalidPolicy, type OneOrMore, type PolicyDocument, type Principal, type Statement } from './document.js'

/** What a policy is attached to. */
export type Attached = 'table' | 'stream'

/** What only streams know. */
const STREAM_ACTIONS: readonly string[] = ['describestream', 'getrecords', 'getsharditerator']
const RESOURCE = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:(.+)$/
const PRINCIPAL = /^(\*|arn:[^:]*:(iam|sts)::\d{12}:.+)$/

/** What the shape of a policy does not say. Who is named in it, nobody looks up. */
export function checkPolicy({ Statement: statements }: PolicyDocument, attached: Attached): void {
  const sids = statements.flatMap(({ Sid }) => (Sid ? [Sid] : []))
  if (new Set(sids).size < sids.length) throw invalidPolicy('The Statement Ids in the policy are not unique')
  for (const statement of statements) {
    checkActions(list(statement.Action ?? statement.NotAction), attached)
    checkResources(list(statement.Resource ?? statement.NotResource), attached)
    checkPrincipals((statement.Principal ?? statement.NotPrincipal)!)
  }
  if (statements.some(allowsEverybody))
    throw validation(
      'Resource-based policy grants unbounded access in one or more elements. ' +
        'Please revise the policy to ensure least-privilege form of access',
    )
}

export const list = (values: OneOrMore = []): readonly string[] => [values].flat()

/** Whether a statement is about everybody. */
export function isEverybody(principal: Principal | undefined): boolean {
  return principal === '*' || list(principal?.AWS).includes('*')
}

/** Whether a statement holds always. */
export const isUnconditional = ({ Condition = {} }: Statement) => Object.keys(Condition).length === 0

function allowsEverybody(statement: Statement): boolean {
  return statement.Effect === 'Allow' && isUnconditional(statement) && isEverybody(statement.Principal)
}

function checkActions(actions: readonly string[], attached: Attached): void {
  const invalid = actions.filter(action => action !== '*' && !isAction(action.toLowerCase(), attached))
  if (invalid.length === 0) return
  const names = invalid.map(action => `"${action}"`).join(', ')
  throw invalidPolicy(`The following action names are invalid: ${names}`)
}

function isAction(action: string, attached: Attached): boolean {
  const [service, name] = action.split(':')
  return service === 'dynamodb' && !!name && (attached === 'stream' || !STREAM_ACTIONS.includes(name))
}

function checkResources(resources: readonly string[], attached: Attached): void {
  for (const resource of resources) {
    if (resource === '*') continue
    const [, relative] = RESOURCE.exec(resource) ?? []
    if (relative === undefined) throw invalidPolicy(`Resource ${resource} must be in ARN format or "*".`)
    const isOfStream = relative.split('/')[2] === 'stream'
    const isOther = attached === 'table' ? isOfStream : !isOfStream && !/[*?]/.test(relative)
    if (isOther) throw invalidPolicy(`The relative-id "${relative}" is invalid for ARN "${resource}"`)
  }
}

function checkPrincipals(principal: Principal): void {
  if (principal === '*') return
  for (const one of list(principal.AWS))
    if (!PRINCIPAL.test(one)) throw invalidParameter('Invalid principal in policy document.')
}

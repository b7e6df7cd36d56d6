import { expect, it, test } from 'vitest'
import type { PutResourcePolicyInput } from '../../../src/dynamodb/operation-types.js'
import type { Engine, EngineOptions } from '../../../src/engine/engine.js'
import { deleteResourcePolicy } from '../../../src/engine/operations/policies/delete-resource-policy.js'
import { getResourcePolicy } from '../../../src/engine/operations/policies/get-resource-policy.js'
import { putResourcePolicy } from '../../../src/engine/operations/policies/put-resource-policy.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { deleteTable } from '../../../src/engine/operations/tables/delete-table.js'
import { policy, statement } from '../policies/policy.js'
import { emptyEngine, NOW_MS, request, TABLE_ARN } from '../tables.js'

const NOT_FOUND = 'Resource-based policy not found for the provided ResourceArn: '
const SCAN = policy(statement({ Action: 'dynamodb:Scan' }))

function engineWithTable(options: EngineOptions = {}, more: Parameters<typeof request>[0] = {}): Engine {
  const engine = emptyEngine(options)
  createTable(engine, request(more))
  return engine
}

/** Creates an engine with a settable clock. */
function engineWithClock(options: EngineOptions = {}) {
  const clock = { ms: NOW_MS }
  const engine = engineWithTable({ now: () => clock.ms, ...options })
  return { engine, clock }
}

const put = (engine: Engine, more: Partial<PutResourcePolicyInput> = {}) =>
  putResourcePolicy(engine, { ResourceArn: TABLE_ARN, Policy: policy(), ...more }).RevisionId!
const get = (engine: Engine, ResourceArn = TABLE_ARN) => getResourcePolicy(engine, { ResourceArn })
const remove = (engine: Engine, ExpectedRevisionId?: string) =>
  deleteResourcePolicy(engine, { ResourceArn: TABLE_ARN, ExpectedRevisionId })
const refusal = (name: string, message: string) => expect.objectContaining({ name, message })
const noPolicy = (detail: string) => refusal('PolicyNotFoundException', NOT_FOUND + detail)

// The following was observed in us-east-1 and us-west-2, and by moto's tests, which run on AWS.
test('a policy is returned with its revision, the time of its change', () => {
  const engine = engineWithTable()
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
  const RevisionId = put(engine, { Policy: JSON.stringify(JSON.parse(policy()), null, 2) })
  expect(RevisionId).toBe(`${NOW_MS}`)
  expect(get(engine)).toEqual({ Policy: policy(), RevisionId })
})

test('an equivalent policy keeps the revision, and another policy gets a later one', () => {
  const engine = engineWithTable()
  const first = put(engine)
  expect(put(engine, { Policy: ` ${policy(statement({ Action: ['dynamodb:GetItem'] }))}` })).toBe(first)
  const second = put(engine, { Policy: SCAN })
  const third = put(engine)
  expect([first < second, second < third]).toEqual([true, true])
  expect(get(engine)).toEqual({ Policy: policy(), RevisionId: third })
})

test('a policy changes only if the expected revision matches', () => {
  const engine = engineWithTable()
  const first = put(engine, { ExpectedRevisionId: 'NO_POLICY' })
  const second = put(engine, { Policy: SCAN, ExpectedRevisionId: first })
  expect(() => put(engine, { ExpectedRevisionId: first })).toThrow(
    noPolicy(
      `Requested update for policy with revision id ${first}, ` +
        `but the policy associated to target table Orders has revision id ${second}.`,
    ),
  )
  expect(() => put(engine, { ExpectedRevisionId: 'NO_POLICY' })).toThrow(
    noPolicy(
      'Requested policy update expecting none to be present for table Orders, ' +
        `but a policy exists with revision id ${second}.`,
    ),
  )
  expect(() => remove(engine, 'unknown')).toThrow(
    noPolicy(
      'Requested update for policy with revision id unknown, ' +
        `but the policy associated to target table Orders has revision id ${second}.`,
    ),
  )
  expect(get(engine).RevisionId).toBe(second)
})

test('deleting a policy returns its revision, and deleting a missing policy succeeds', () => {
  const engine = engineWithTable()
  expect(remove(engine)).toEqual({})
  const RevisionId = put(engine)
  expect(remove(engine, RevisionId)).toEqual({ RevisionId })
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
  expect(remove(engine)).toEqual({})
  for (const change of [() => remove(engine, RevisionId), () => put(engine, { ExpectedRevisionId: RevisionId })])
    expect(change).toThrow(
      noPolicy(
        `Requested update for policy with revision id ${RevisionId}, but table Orders has no associated policy.`,
      ),
    )
  expect(put(engine, { ExpectedRevisionId: 'NO_POLICY' }) > RevisionId).toBe(true)
})

test('a table can be created with a policy, which is deleted with the table', () => {
  const engine = engineWithTable({}, { ResourcePolicy: policy() })
  expect(get(engine)).toEqual({ Policy: policy(), RevisionId: `${NOW_MS}` })
  deleteTable(engine, { TableName: 'Orders' })
  const notFound = refusal('ResourceNotFoundException', 'Requested resource not found: Table: Orders not found')
  for (const operation of [get, put, remove]) expect(() => operation(engine)).toThrow(notFound)
  createTable(engine, request())
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
})

test('CreateTable rejects an invalid policy', () => {
  const create = (ResourcePolicy: string) => () => engineWithTable({}, { ResourcePolicy })
  expect(create('{}')).toThrow('Invalid policy document: Syntax error at position (1,3)')
  expect(create('{')).toThrow('Invalid policy document: This policy contains invalid Json')
})

test('a stream has its own policy with stream actions', () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
  const engine = emptyEngine()
  const { TableDescription } = createTable(engine, request({ StreamSpecification }))
  const { LatestStreamArn: ResourceArn, LatestStreamLabel: label } = TableDescription!
  expect(() => get(engine, ResourceArn)).toThrow(noPolicy(ResourceArn!))
  const Policy = policy(statement({ Action: 'dynamodb:GetRecords', Resource: ResourceArn }))
  const RevisionId = put(engine, { ResourceArn: ResourceArn!, Policy })
  expect(get(engine, ResourceArn)).toEqual({ Policy, RevisionId })
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
  expect(() => put(engine, { ResourceArn: ResourceArn!, Policy, ExpectedRevisionId: '1' })).toThrow(
    `but the policy associated to target stream ${label} has revision id ${RevisionId}.`,
  )
  const other = '2000-01-01T00:00:00.000'
  expect(() => get(engine, `${TABLE_ARN}/stream/${other}`)).toThrow(
    refusal('ResourceNotFoundException', `Requested resource not found: Stream: ${other} not found for Table: Orders`),
  )
})

test.each([
  ['Orders', "One or more parameter values were invalid: ARNs must start with 'arn:': Orders"],
  [
    TABLE_ARN.replace('123456789012', '111122223333'),
    'This action is only supported by accounts that match the resource owner’s account.',
  ],
  ...[TABLE_ARN.replace('eu-west-1', 'us-east-1'), TABLE_ARN.replace('arn:aws:', 'arn:aws-cn:')].map(arn => [
    arn,
    `One or more parameter values were invalid: Invalid resource Arn: ${arn}`,
  ]),
  [
    `${TABLE_ARN}/index/ByName`,
    'One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. ' +
      `Provided resource arn: ${TABLE_ARN}/index/ByName`,
  ],
  ...[`${TABLE_ARN}/backup/0170`, TABLE_ARN.replace('dynamodb', 's3')].map(arn => [
    arn,
    `One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: ${arn}`,
  ]),
])('%s cannot have a policy', (ResourceArn, message) => {
  const engine = engineWithTable()
  const refused = refusal('ValidationException', message!)
  expect(() => get(engine, ResourceArn)).toThrow(refused)
  expect(() => put(engine, { ResourceArn: ResourceArn! })).toThrow(refused)
})

it('a policy that locks out its author requires confirmation', () => {
  const engine = engineWithTable()
  const Policy = policy(statement({ Effect: 'Deny', Principal: '*', Action: 'dynamodb:PutResourcePolicy' }))
  const denied = refusal(
    'AccessDeniedException',
    'The new resource policy will not allow you to update the resource policy in the future.',
  )
  expect(() => put(engine, { Policy })).toThrow(denied)
  expect(() => put(engine, { Policy, ConfirmRemoveSelfResourceAccess: false })).toThrow(denied)
  const RevisionId = put(engine, { Policy, ConfirmRemoveSelfResourceAccess: true })
  // The policy is stored but not enforced.
  expect(put(engine) > RevisionId).toBe(true)
})

test('with transitions a policy becomes visible later and rejects other changes until then', () => {
  const { engine, clock } = engineWithClock({ transitionMs: 1000 })
  const creating = refusal('ResourceNotFoundException', 'Requested resource not found: Table: Orders not found')
  expect(() => get(engine)).toThrow(creating)
  expect(() => put(engine)).toThrow(creating)
  clock.ms += 1000
  const first = put(engine)
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
  expect(put(engine)).toBe(first)
  const pending = refusal(
    'ResourceInUseException',
    'Attempt to change a resource which is still in use: Table is pending previous resource-based policy update: Orders',
  )
  expect(() => put(engine, { Policy: SCAN, ExpectedRevisionId: first })).toThrow(pending)
  expect(() => remove(engine, first)).toThrow(pending)
  expect(() => deleteTable(engine, { TableName: 'Orders' })).toThrow(
    'Attempt to change a resource which is still in use: Table: Orders has a pending resource-based policy update.',
  )
  clock.ms += 1000
  expect(get(engine).RevisionId).toBe(first)
  const second = put(engine, { Policy: SCAN })
  expect(get(engine)).toEqual({ Policy: policy(), RevisionId: first })
  clock.ms += 1000
  expect(get(engine)).toEqual({ Policy: SCAN, RevisionId: second })
  expect(remove(engine)).toEqual({ RevisionId: second })
  expect(get(engine).RevisionId).toBe(second)
  // A deletion has a revision until it is complete.
  expect(remove(engine)).toEqual({ RevisionId: `${clock.ms}` })
  clock.ms += 1000
  expect(() => get(engine)).toThrow(noPolicy(TABLE_ARN))
  expect(remove(engine)).toEqual({})
})

test('the policy of a table in deletion is readable but cannot be changed', () => {
  const { engine, clock } = engineWithClock({ transitionMs: 1000 })
  clock.ms += 1000
  const RevisionId = put(engine)
  clock.ms += 1000
  deleteTable(engine, { TableName: 'Orders' })
  expect([get(engine).RevisionId, put(engine)]).toEqual([RevisionId, RevisionId])
  const deleting = refusal(
    'ResourceInUseException',
    'Attempt to change a resource which is still in use: Table is being deleted: Orders',
  )
  expect(() => put(engine, { Policy: SCAN })).toThrow(deleting)
  expect(() => remove(engine)).toThrow(deleting)
})

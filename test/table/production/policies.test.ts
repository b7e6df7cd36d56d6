import { describe, expect, test } from 'vitest'
import type { TableDesign } from '../../../src/layout/design.js'
import { applicationPolicy, consumerPolicy, type ProductionOptions, type Statement } from '../../../src/table/index.js'
import { designed, EVERYTHING, local } from '../designs.js'

const TABLE = 'arn:aws:dynamodb:eu-west-1:123456789012:table/cinema'
const NAMES = {
  table: TABLE,
  index: (name: string) => `${TABLE}/index/${name}`,
  stream: `${TABLE}/stream/now`,
  streams: `${TABLE}/stream/*`,
  consumers: `${TABLE}-consumers`,
  queue: 'arn:aws:sqs:eu-west-1:123456789012:failures',
}
const ITEM_ACTIONS = [
  'dynamodb:BatchGetItem',
  'dynamodb:GetItem',
  'dynamodb:Query',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
]

function application(design: TableDesign, options: ProductionOptions = {}) {
  return bySid(applicationPolicy(design, options, NAMES).Statement)
}

function consumer(design: TableDesign, options: ProductionOptions = {}) {
  return bySid(consumerPolicy(design, options, NAMES)!.Statement)
}

function bySid(statements: readonly Statement[]): Record<string, Statement> {
  return Object.fromEntries(statements.map(statement => [statement.Sid, statement]))
}

describe('the policy of the application', () => {
  test('the application policy allows exactly the calls on the table and queries of its indexes by name', () => {
    const design = designed({ indexes: [...designed().indexes, local('LSI1')] })
    expect(application(design)).toEqual({
      Data: { Sid: 'Data', Effect: 'Allow', Action: ITEM_ACTIONS, Resource: [TABLE] },
      Indexes: {
        Sid: 'Indexes',
        Effect: 'Allow',
        Action: ['dynamodb:Query'],
        Resource: [`${TABLE}/index/GSI1`, `${TABLE}/index/LSI1`],
      },
      Description: {
        Sid: 'Description',
        Effect: 'Allow',
        Action: ['dynamodb:DescribeTable'],
        Resource: [TABLE],
      },
    })
  })

  test('the application policy has no index statement without indexes', () => {
    expect(Object.keys(application(designed({ indexes: [] })))).toEqual(['Data', 'Description'])
  })

  test('the application policy allows scans of the table only on request', () => {
    const { Data, Indexes } = application(designed(), { scan: true })
    expect(Data?.Action).toContain('dynamodb:Scan')
    expect(Indexes?.Action).toEqual(['dynamodb:Query'])
  })

  test("the application policy binds every key to the caller's tenant, also for a request without keys", () => {
    const { Data, Indexes } = application(EVERYTHING, { tenantTag: 'customer' })
    const condition = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`\${aws:PrincipalTag/customer}#*`] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    }
    expect(Data?.Condition).toEqual(condition)
    expect(Indexes?.Condition).toEqual(condition)
  })

  test('the application policy of a tenant allows no scan, because a scan has no leading key', () => {
    expect(JSON.stringify(application(EVERYTHING, { scan: true }))).not.toContain('dynamodb:Scan')
  })

  test('the application policy lets every tenant read only the fingerprint in its partition', () => {
    expect(application(EVERYTHING).Fingerprint).toMatchObject({
      Action: ['dynamodb:GetItem'],
      Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['$edgewise'] } },
    })
    expect(application(designed({ fingerprint: '$edgewise' }))).not.toHaveProperty('Fingerprint')
  })

  test('the application policy allows the use of a customer key only through DynamoDB', () => {
    expect(application(designed(), { encryption: { keyArn: 'arn:aws:kms:key' } }).EncryptionKey).toMatchObject({
      Resource: ['arn:aws:kms:key'],
      Condition: { StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 'dynamodb.*.amazonaws.com.cn'] } },
    })
    expect(application(designed(), { encryption: 'aws-managed' })).not.toHaveProperty('EncryptionKey')
  })
})

describe('the policy of the consumer', () => {
  test('the consumer policy allows stream reads and conditional writes for every tenant, and no index', () => {
    const statements = consumer(EVERYTHING)
    expect(statements.Data).toEqual({
      Sid: 'Data',
      Effect: 'Allow',
      Action: ITEM_ACTIONS.filter(action => action !== 'dynamodb:BatchWriteItem'),
      Resource: [TABLE],
    })
    expect(JSON.stringify(statements)).not.toContain('/index/')
  })

  const READING = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']

  test("the consumer policy allows a function to read its stream and to list the table's streams", () => {
    const statements = consumer(EVERYTHING, { consumer: { function: 'keep' } })
    expect(statements.Stream).toMatchObject({ Action: READING, Resource: [`${TABLE}/stream/now`] })
    expect(statements.Streams).toMatchObject({ Action: ['dynamodb:ListStreams'], Resource: [`${TABLE}/stream/*`] })
    expect(statements).not.toHaveProperty('Description')
  })

  test('the consumer policy allows a follower to read every stream of the table, and to list them only with a function', () => {
    const statements = consumer(EVERYTHING)
    expect(statements.Stream).toMatchObject({ Action: READING, Resource: [`${TABLE}/stream/*`] })
    expect(statements).not.toHaveProperty('Streams')
    expect(consumer(EVERYTHING, { alarms: { consumer: 'keep' } })).toHaveProperty('Streams')
  })

  test('the consumer policy allows a follower the consumers table and no other table', () => {
    expect(consumer(EVERYTHING).Checkpoints).toEqual({
      Sid: 'Checkpoints',
      Effect: 'Allow',
      Action: [
        'dynamodb:DeleteItem',
        'dynamodb:DescribeTable',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
      ],
      Resource: [`${TABLE}-consumers`],
    })
    expect(consumer(EVERYTHING)).not.toHaveProperty('Failures')
  })

  test('the consumer policy allows a function to send to its queue, and no consumers table', () => {
    const statements = consumer(EVERYTHING, { consumer: { function: 'keep' } })
    expect(statements.Failures).toEqual({
      Sid: 'Failures',
      Effect: 'Allow',
      Action: ['sqs:SendMessage'],
      Resource: ['arn:aws:sqs:eu-west-1:123456789012:failures'],
    })
    expect(statements).not.toHaveProperty('Checkpoints')
  })

  test('the consumer policy is undefined without a stream', () => {
    const design = designed()
    expect(consumerPolicy(design, {}, NAMES)).toBeUndefined()
  })
})

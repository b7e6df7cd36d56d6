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
  test('allows what calls send to the table, queries of its own indexes by name, and no more', () => {
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

  test('says nothing of indexes where there are none', () => {
    expect(Object.keys(application(designed({ indexes: [] })))).toEqual(['Data', 'Description'])
  })

  test('allows scans only if asked for, and of the table alone', () => {
    const { Data, Indexes } = application(designed(), { scan: true })
    expect(Data?.Action).toContain('dynamodb:Scan')
    expect(Indexes?.Action).toEqual(['dynamodb:Query'])
  })

  test('binds every key to the tenant of the caller, also where a request shows none', () => {
    const { Data, Indexes } = application(EVERYTHING, { tenantTag: 'customer' })
    const condition = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`\${aws:PrincipalTag/customer}#*`] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    }
    expect(Data?.Condition).toEqual(condition)
    expect(Indexes?.Condition).toEqual(condition)
  })

  test('allows no scan to a tenant, since a scan has no leading key', () => {
    expect(JSON.stringify(application(EVERYTHING, { scan: true }))).not.toContain('dynamodb:Scan')
  })

  test("lets every tenant read the layout's fingerprint and nothing else of its partition", () => {
    expect(application(EVERYTHING).Fingerprint).toMatchObject({
      Action: ['dynamodb:GetItem'],
      Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['$edgewise'] } },
    })
    expect(application(designed({ fingerprint: '$edgewise' }))).not.toHaveProperty('Fingerprint')
  })

  test('allows the use of an own key through DynamoDB only', () => {
    expect(application(designed(), { encryption: { keyArn: 'arn:aws:kms:key' } }).EncryptionKey).toMatchObject({
      Resource: ['arn:aws:kms:key'],
      Condition: { StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 'dynamodb.*.amazonaws.com.cn'] } },
    })
    expect(application(designed(), { encryption: 'aws-managed' })).not.toHaveProperty('EncryptionKey')
  })
})

describe('the policy of the consumer', () => {
  test('allows reading the stream and conditioned writes to the table, for every tenant, and never an index', () => {
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

  test('allows a function its stream, and to list those of the table', () => {
    const statements = consumer(EVERYTHING, { consumer: { function: 'keep' } })
    expect(statements.Stream).toMatchObject({ Action: READING, Resource: [`${TABLE}/stream/now`] })
    expect(statements.Streams).toMatchObject({ Action: ['dynamodb:ListStreams'], Resource: [`${TABLE}/stream/*`] })
    expect(statements).not.toHaveProperty('Description')
  })

  test('allows who follows every stream that the table has had, and no list unless a function is told of', () => {
    const statements = consumer(EVERYTHING)
    expect(statements.Stream).toMatchObject({ Action: READING, Resource: [`${TABLE}/stream/*`] })
    expect(statements).not.toHaveProperty('Streams')
    expect(consumer(EVERYTHING, { alarms: { consumer: 'keep' } })).toHaveProperty('Streams')
  })

  test('allows the small table to whoever follows, and nothing else beside it', () => {
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

  test('allows a function to send to its queue, and no small table', () => {
    const statements = consumer(EVERYTHING, { consumer: { function: 'keep' } })
    expect(statements.Failures).toEqual({
      Sid: 'Failures',
      Effect: 'Allow',
      Action: ['sqs:SendMessage'],
      Resource: ['arn:aws:sqs:eu-west-1:123456789012:failures'],
    })
    expect(statements).not.toHaveProperty('Checkpoints')
  })

  test('is not there without a stream', () => {
    const design = designed()
    expect(consumerPolicy(design, {}, NAMES)).toBeUndefined()
  })
})

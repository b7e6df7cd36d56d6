import { describe, expect, test } from 'vitest'
import type { CreateTableInput, VectorIndex } from '../../../src/dynamodb/operation-types.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { defined, emptyEngine, index, key, request } from '../tables.js'

const INVALID = 'One or more parameter values were invalid: '

/** Expects exactly this error message. */
function expectComplaint(more: Partial<CreateTableInput>, message: string): void {
  const create = () => createTable(emptyEngine(), request(more))
  expect(create).toThrow(expect.objectContaining({ name: 'ValidationException', message }))
}

test('a new stream has a view type exactly if it is enabled', () => {
  expectComplaint(
    { StreamSpecification: { StreamEnabled: true } },
    `${INVALID}Table is being created with a stream enabled, UpdateViewType is required`,
  )
  expectComplaint(
    { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  )
})

test('encryption uses KMS, and disabled encryption accepts no other settings', () => {
  const disabled = 'can not be specified if Enabled is false'
  expectComplaint({ SSESpecification: { Enabled: false, SSEType: 'KMS' } }, `${INVALID}SSEType ${disabled}`)
  expectComplaint({ SSESpecification: { Enabled: false, KMSMasterKeyId: 'k' } }, `${INVALID}KMSMasterKeyId ${disabled}`)
  expectComplaint(
    { SSESpecification: { Enabled: true, SSEType: 'AES256' } },
    `${INVALID}SSEType AES256 is not supported`,
  )
  expectComplaint(
    { SSESpecification: { Enabled: true, KMSMasterKeyId: 'k' } },
    `${INVALID}SSEType KMS is required if KMSMasterKeyId is specified`,
  )
})

test('tags must have valid, unique keys and valid values, and at most fifty are allowed', () => {
  const tag = (Key: string, Value = 'v') => ({ Key, Value })
  expectComplaint({ Tags: [tag('aws:foo')] }, 'Tag Key cannot be prefixed with aws:, Key: aws:foo')
  expectComplaint({ Tags: [tag('a#b')] }, 'The Tag Key provided is invalid, Key: a#b')
  const long = 'x'.repeat(129)
  expectComplaint({ Tags: [tag(long)] }, `The Tag Key provided is invalid, Key: ${long}`)
  expectComplaint({ Tags: [tag('a', 'b|c')] }, 'The Tag Value provided is invalid, Value: b|c')
  expectComplaint({ Tags: [tag('a'), tag('a')] }, 'Duplicate Tag Keys provided as input: Duplicate Tag Key found a')
  const many = Array.from({ length: 51 }, (_, at) => tag(`key${at}`))
  expectComplaint({ Tags: many }, 'Number of Tags exceed the current limit for the provided ResourceArn')
})

describe('vector indexes in CreateTable', () => {
  const vector = (more: Partial<VectorIndex> = {}): VectorIndex => ({
    IndexName: 'byMeaning',
    VectorAttribute: { AttributeName: 'embedding' },
    Projection: { ProjectionType: 'KEYS_ONLY' },
    Dimensions: 8,
    DistanceFunction: 'COSINE',
    ...more,
  })

  test('a list of vector indexes must not be empty and requires on-demand mode', () => {
    expectComplaint({ VectorIndexes: [] }, `${INVALID}List of VectorIndexes is empty`)
    expectComplaint(
      {
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        VectorIndexes: [vector()],
      },
      `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
    )
  })

  test('a vector index has limited dimensions and a search schema of defined attributes', () => {
    expectComplaint(
      { VectorIndexes: [vector({ Dimensions: 4097 })] },
      `${INVALID}Number of dimensions must be between 1 and 4096 inclusive.`,
    )
    const hash = (AttributeName: string) => ({ AttributeName, SearchSchemaElementType: 'HASH' as const })
    expectComplaint(
      { VectorIndexes: [vector({ SearchSchema: [hash('tenant')] })] },
      `${INVALID}One element in SearchSchema is not defined in attribute definitions`,
    )
    expectComplaint(
      {
        AttributeDefinitions: defined('pk', 'tenant'),
        VectorIndexes: [vector({ SearchSchema: [hash('pk'), hash('tenant')] })],
      },
      `${INVALID}Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to 1`,
    )
    const filter = { AttributeName: 'pk', SearchSchemaElementType: 'INLINE_FILTER' as const }
    expectComplaint(
      { VectorIndexes: [vector({ SearchSchema: [filter, filter] })] },
      `${INVALID}SearchSchema contains a duplicate AttributeName`,
    )
  })

  test('the included attributes of a vector index count its vector, listed or not', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `included${at}`)
    const including = (...NonKeyAttributes: string[]) => ({
      VectorIndexes: [vector({ Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes } })],
    })
    createTable(emptyEngine(), request(including(...names(19))))
    createTable(emptyEngine(), request(including(...names(19), 'embedding')))
    expectComplaint(
      including(...names(20)),
      `${INVALID}Number of projected attributes exceeds the per-index limit of 20`,
    )
  })

  test('a table has at most five vector indexes with unique names', () => {
    const six = Array.from({ length: 6 }, (_, at) => vector({ IndexName: `vector${at}` }))
    expectComplaint({ VectorIndexes: six }, `${INVALID}VectorIndex count exceeds the per-table limit of 5`)
    expectComplaint(
      { GlobalSecondaryIndexes: [index('byMeaning', key('pk'))], VectorIndexes: [vector()] },
      `${INVALID}Duplicate index name: byMeaning`,
    )
  })

  test('vector indexes on one attribute have the same dimensions and no attribute definition', () => {
    expectComplaint(
      { VectorIndexes: [vector(), vector({ IndexName: 'again', Dimensions: 9 })] },
      `${INVALID}Conflicting attribute definition for 'embedding'. All VectorIndexes on the same vector attribute must use the same dimensions.`,
    )
    expectComplaint(
      { AttributeDefinitions: defined('pk', 'embedding'), VectorIndexes: [vector()] },
      `${INVALID}Conflicting attribute definition for 'embedding'. An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.`,
    )
  })
})

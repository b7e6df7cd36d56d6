import type { KeySchemaElement, LocalSecondaryIndex } from '../../../dynamodb/operation-types.js'
import type { TableDesign } from '../../../layout/design.js'
import type { ProductionSettings } from '../../production/production.js'
import { toCreateTableInput } from '../../table-definition.js'
import { type HclAttributes as Attributes, createBlock, createResourceBlock, type HclBlock } from './hcl.js'

/** The block of the table with its indexes and settings. */
export function tableBlock(design: TableDesign, settings: ProductionSettings, name = 'table'): HclBlock {
  const request = toCreateTableInput(design, { table: settings.table })
  const capacity = request.ProvisionedThroughput
  const attributes: Attributes = [
    ['name', settings.table],
    ['billing_mode', request.BillingMode],
    ['read_capacity', capacity?.ReadCapacityUnits],
    ['write_capacity', capacity?.WriteCapacityUnits],
    ['hash_key', design.keys.partition],
    ['range_key', design.keys.sort],
    ['stream_enabled', request.StreamSpecification ? true : undefined],
    ['stream_view_type', request.StreamSpecification?.StreamViewType],
    ['deletion_protection_enabled', settings.deletionProtection],
    [
      'tags',
      settings.tags.length > 0 ? { members: settings.tags.map(({ Key, Value }) => [Key, Value] as const) } : undefined,
    ],
  ]
  return createResourceBlock('aws_dynamodb_table', name, attributes, [
    ...Object.entries(design.attributes).map(([name, type]) =>
      createBlock(
        'attribute',
        [],
        [
          ['name', name],
          ['type', type],
        ],
      ),
    ),
    ...(request.LocalSecondaryIndexes ?? []).map(localIndexBlock),
    ...(request.GlobalSecondaryIndexes ?? []).map(index => {
      const { ReadCapacityUnits, WriteCapacityUnits } = index.ProvisionedThroughput ?? {}
      return globalIndexBlock(index, [
        ['read_capacity', ReadCapacityUnits],
        ['write_capacity', WriteCapacityUnits],
      ])
    }),
    ...settingBlocks(design, settings),
  ])
}

function localIndexBlock(index: LocalSecondaryIndex): HclBlock {
  const sort = index.KeySchema.find(element => element.KeyType === 'RANGE')
  return createBlock(
    'local_secondary_index',
    [],
    [['name', index.IndexName], ['range_key', sort?.AttributeName], ...projectionAttributes(index)],
  )
}

interface KeySchemaParts {
  readonly partition: readonly unknown[]
  readonly sort: readonly unknown[]
}

/** Whether a key has several attributes of one role, which `hash_key` and `range_key` cannot express. */
export function needsKeySchema({ partition, sort }: KeySchemaParts): boolean {
  return partition.length > 1 || sort.length > 1
}

/**
 * A key of one attribute per role is written as `hash_key` and `range_key`. Newer providers accept these with a warning,
 * and every provider before 6.29 rejects `key_schema`.
 */
function globalIndexBlock(index: LocalSecondaryIndex, capacity: Attributes): HclBlock {
  const namesOf = (type: KeySchemaElement['KeyType']) =>
    index.KeySchema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName)
  const [partition, sort] = [namesOf('HASH'), namesOf('RANGE')]
  const attributes: Attributes = [['name', index.IndexName], ...projectionAttributes(index), ...capacity]
  if (needsKeySchema({ partition, sort }))
    return createBlock('global_secondary_index', [], attributes, keySchemaBlocks(index.KeySchema))
  const [name, ...rest] = attributes
  return createBlock('global_secondary_index', [], [name!, ['hash_key', partition[0]], ['range_key', sort[0]], ...rest])
}

function keySchemaBlocks(keySchema: readonly KeySchemaElement[]): HclBlock[] {
  return keySchema.map(({ AttributeName, KeyType }) =>
    createBlock(
      'key_schema',
      [],
      [
        ['attribute_name', AttributeName],
        ['key_type', KeyType],
      ],
    ),
  )
}

function projectionAttributes({ Projection }: LocalSecondaryIndex): Attributes {
  return [
    ['projection_type', Projection.ProjectionType],
    ['non_key_attributes', Projection.NonKeyAttributes],
  ]
}

function settingBlocks(design: TableDesign, settings: ProductionSettings): HclBlock[] {
  const { recoveryDays, encryption } = settings
  const keyArn = typeof encryption === 'string' ? undefined : encryption.keyArn
  const timeToLive: Attributes = [
    ['attribute_name', design.expires],
    ['enabled', true],
  ]
  const recovery: Attributes = [
    ['enabled', recoveryDays > 0],
    ['recovery_period_in_days', recoveryDays > 0 ? recoveryDays : undefined],
  ]
  const sse: Attributes = [
    ['enabled', encryption !== 'aws-owned'],
    ['kms_key_arn', keyArn],
  ]
  return [
    ...(design.expires === undefined ? [] : [createBlock('ttl', [], timeToLive)]),
    createBlock('point_in_time_recovery', [], recovery),
    createBlock('server_side_encryption', [], sse),
    ...(settings.autoscaling ? [autoscaledLifecycle()] : []),
  ]
}

function autoscaledLifecycle(): HclBlock {
  const ignored = ['read_capacity', 'write_capacity', 'global_secondary_index'].map(raw => ({ raw }))
  return {
    ...createBlock('lifecycle', [], [['ignore_changes', ignored]]),
    comment: 'Autoscaling moves these. Take global_secondary_index out while an index is added or removed.',
  }
}

import type { AttributeValue } from '../attribute-value.js'
import type { KeySchemaElement } from './indexes.js'
import type { StreamViewType } from './table-description.js'

export type StreamStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'
export type ShardIteratorType =
  | 'TRIM_HORIZON'
  | 'LATEST'
  | 'AT_SEQUENCE_NUMBER'
  | 'AFTER_SEQUENCE_NUMBER'
  | 'AT_TIMESTAMP'

export interface StreamSummary {
  StreamArn?: string | undefined
  TableName?: string | undefined
  StreamLabel?: string | undefined
}

export interface ListStreamsInput {
  TableName?: string | undefined
  Limit?: number | undefined
  ExclusiveStartStreamArn?: string | undefined
}

export interface ListStreamsOutput {
  Streams?: StreamSummary[] | undefined
  LastEvaluatedStreamArn?: string | undefined
}

export interface SequenceNumberRange {
  StartingSequenceNumber?: string | undefined
  /** Only closed shards have it. */
  EndingSequenceNumber?: string | undefined
}

export interface Shard {
  ShardId?: string | undefined
  SequenceNumberRange?: SequenceNumberRange | undefined
  ParentShardId?: string | undefined
}

export interface ShardFilter {
  Type?: 'CHILD_SHARDS' | undefined
  ShardId?: string | undefined
}

export interface DescribeStreamInput {
  StreamArn: string
  Limit?: number | undefined
  ExclusiveStartShardId?: string | undefined
  ShardFilter?: ShardFilter | undefined
}

export interface StreamDescription {
  StreamArn?: string | undefined
  StreamLabel?: string | undefined
  StreamStatus?: StreamStatus | undefined
  StreamViewType?: StreamViewType | undefined
  CreationRequestDateTime?: Date | undefined
  TableName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  Shards?: Shard[] | undefined
  LastEvaluatedShardId?: string | undefined
}

export interface DescribeStreamOutput {
  StreamDescription?: StreamDescription | undefined
}

export interface GetShardIteratorInput {
  StreamArn: string
  ShardId: string
  ShardIteratorType: ShardIteratorType
  SequenceNumber?: string | undefined
  Timestamp?: Date | undefined
}

export interface GetShardIteratorOutput {
  ShardIterator?: string | undefined
}

export interface GetRecordsInput {
  ShardIterator: string
  Limit?: number | undefined
}

export interface StreamRecord {
  ApproximateCreationDateTime?: Date | undefined
  Keys?: Record<string, AttributeValue> | undefined
  NewImage?: Record<string, AttributeValue> | undefined
  OldImage?: Record<string, AttributeValue> | undefined
  SequenceNumber?: string | undefined
  SizeBytes?: number | undefined
  StreamViewType?: StreamViewType | undefined
}

/** The author of a change that the service itself made. */
export interface Identity {
  PrincipalId?: string | undefined
  Type?: string | undefined
}

export interface ChangeRecord {
  eventID?: string | undefined
  eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined
  eventVersion?: string | undefined
  eventSource?: string | undefined
  awsRegion?: string | undefined
  dynamodb?: StreamRecord | undefined
  userIdentity?: Identity | undefined
}

export interface GetRecordsOutput {
  Records?: ChangeRecord[] | undefined
  /** Absent at the end of a closed shard. */
  NextShardIterator?: string | undefined
}

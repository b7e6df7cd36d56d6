import type { StreamViewType, TableDescription } from '../../dynamodb/operation-types.js'
import type { StreamView } from '../../layout/design.js'
import { STREAM_VIEWS, toStreamSpecification } from '../table-definition.js'
import { type DiffContext, type Step, TABLE_ACTIVE } from './step.js'

const VIEW_TEXTS: Readonly<Record<Exclude<StreamView, 'none'>, string>> = {
  keys: 'the keys of what changes',
  new: 'items as they become',
  old: 'items as they were',
  both: 'items before and after',
}

/**
 * Returns the steps for the stream. Its view cannot be changed, so it is disabled and enabled again. A stream with more
 * images than needed stays.
 */
export function streamSteps({ design, live, table }: DiffContext): Step[] {
  const present = live.StreamSpecification?.StreamEnabled ? live.StreamSpecification.StreamViewType : undefined
  if (design.stream === 'none') return present && !isReplicated(live) ? [disableStream(table, true)] : []
  if (present && isViewSufficient(present, STREAM_VIEWS[design.stream])) return []
  const enable: Step = {
    code: 'stream.enable',
    operation: 'UpdateTable',
    input: { TableName: table, StreamSpecification: toStreamSpecification(design.stream) },
    message: `Begin a stream of ${VIEW_TEXTS[design.stream]}.`,
    cost: 'It has an ARN of its own and shows changes from now on only: point the consumer at it, then verify what was written before. Reading it by Lambda is free.',
    wait: TABLE_ACTIVE,
    optional: false,
  }
  return present ? [disableStream(table, false), enable] : [enable]
}

/**
 * Whether the table has replicas that depend on its stream, which then cannot be disabled. Strongly consistent replicas
 * do not use it.
 */
function isReplicated({ Replicas = [], MultiRegionConsistency }: TableDescription): boolean {
  return Replicas.length > 0 && MultiRegionConsistency !== 'STRONG'
}

function isViewSufficient(present: StreamViewType, designed: StreamViewType): boolean {
  return present === designed || present === 'NEW_AND_OLD_IMAGES' || designed === 'KEYS_ONLY'
}

function disableStream(table: string, optional: boolean): Step {
  return {
    code: 'stream.disable',
    operation: 'UpdateTable',
    input: { TableName: table, StreamSpecification: { StreamEnabled: false } },
    message: optional
      ? 'End the stream, which the design does not have.'
      : 'End the stream, which does not show enough.',
    cost: 'What it holds can be read for 24 hours more: let the consumer finish. Changes made while there is no stream are in none.',
    wait: TABLE_ACTIVE,
    optional,
  }
}

/** Returns the steps for the TTL. Its attribute cannot be changed, so it is disabled and enabled again. */
export function timeToLiveSteps({ design, ttl, table }: DiffContext): Step[] {
  const isEnabled = ttl?.TimeToLiveStatus === 'ENABLED' || ttl?.TimeToLiveStatus === 'ENABLING'
  const present = isEnabled ? ttl?.AttributeName : undefined
  if (present === design.expires) return []
  return [
    ...(present === undefined ? [] : [timeToLiveStep(table, present, false)]),
    ...(design.expires === undefined ? [] : [timeToLiveStep(table, design.expires, true)]),
  ]
}

function timeToLiveStep(table: string, attribute: string, enabled: boolean): Step {
  return {
    code: enabled ? 'ttl.enable' : 'ttl.disable',
    operation: 'UpdateTimeToLive',
    input: { TableName: table, TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute } },
    message: enabled
      ? `Let items expire at the time in ${attribute}.`
      : `Stop items from expiring at the time in ${attribute}: the design does not know it, and DynamoDB deletes by it.`,
    cost: 'Takes up to an hour, within which it cannot be changed again. Expiry itself costs nothing.',
    wait: 'an hour has passed',
    optional: false,
  }
}

import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'

/** An item before a change, and after it. */
export interface Images {
  readonly old: Item | undefined
  readonly now: Item | undefined
}

/** A record without what was, or without what is, does not tell what has changed. */
const BOTH = 'NEW_AND_OLD_IMAGES'

/** The images of a record. Throws where the stream does not have both. */
export function imagesOf({ dynamodb = {} }: ChangeRecord): Images {
  const { OldImage: old, NewImage: now, StreamViewType: view = BOTH } = dynamodb
  if (view === BOTH) return { old, now }
  throw new GraphError('follow.stream', `the stream has records of ${view}: enable one of ${BOTH} instead`)
}

/** Whether the consumer made a change: derived writes leave the etag alone, and every other write sets a fresh one. */
export function isDerived({ names: { etag } }: Layout, { old, now }: Images): boolean {
  return old?.[etag] !== undefined && old[etag].S === now?.[etag]?.S
}

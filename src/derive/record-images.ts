import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operation-types.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'

/** The item before and after a change. */
export interface RecordImages {
  readonly oldImage: Item | undefined
  readonly newImage: Item | undefined
}

/** Both images are needed to find out which values changed. */
const REQUIRED_VIEW = 'NEW_AND_OLD_IMAGES'

/** Returns the images of a record. Throws `follow.stream` if the stream does not contain both. */
export function imagesOf({ dynamodb = {} }: ChangeRecord): RecordImages {
  const { OldImage: oldImage, NewImage: newImage, StreamViewType: view = REQUIRED_VIEW } = dynamodb
  if (view === REQUIRED_VIEW) return { oldImage, newImage }
  throw new GraphError(
    'follow.stream',
    `the stream has records of ${view}; enable a stream of ${REQUIRED_VIEW} instead`,
  )
}

/** Whether the consumer made a change: derived writes leave the etag alone, and every other write sets a fresh one. */
export function isDerivedChange({ names: { etag } }: Layout, { oldImage, newImage }: RecordImages): boolean {
  return oldImage?.[etag] !== undefined && oldImage[etag].S === newImage?.[etag]?.S
}

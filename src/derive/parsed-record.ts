import type { Item } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operation-types.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { type ParsedItem, parseItem } from './settle/side-items.js'

/** A stream record: the item before and after a change, and the node, edge or mirror in each image. */
export interface ParsedRecord {
  readonly oldImage: Item | undefined
  readonly newImage: Item | undefined
  readonly before: ParsedItem | undefined
  readonly after: ParsedItem | undefined
  /** Whether the consumer made the change: derived writes leave the etag alone, and every other write sets a new one. */
  readonly isDerived: boolean
}

/** Both images are needed to find out which values changed. */
const REQUIRED_VIEW = 'NEW_AND_OLD_IMAGES'

/** Parses a record. Throws `follow.stream` if the stream does not contain both images. */
export function parseRecord(layout: Layout, { dynamodb = {} }: ChangeRecord): ParsedRecord {
  const { OldImage, NewImage, StreamViewType: view = REQUIRED_VIEW } = dynamodb
  if (view !== REQUIRED_VIEW)
    throw new GraphError(
      'follow.stream',
      `stream: its records contain ${view}; enable a stream of ${REQUIRED_VIEW} instead.`,
    )
  return parseImages(layout, OldImage, NewImage)
}

export function parseImages(layout: Layout, oldImage: Item | undefined, newImage: Item | undefined): ParsedRecord {
  const { etag } = layout.names
  return {
    oldImage,
    newImage,
    before: oldImage && parseItem(layout, oldImage),
    after: newImage && parseItem(layout, newImage),
    isDerived: oldImage?.[etag] !== undefined && oldImage[etag].S === newImage?.[etag]?.S,
  }
}

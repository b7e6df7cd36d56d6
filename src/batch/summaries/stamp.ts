import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { stampName } from '../../layout/items/summary-stamps.js'

/** The time at which a summary was computed, and the moment of its data. */
export interface SummaryStamp {
  readonly computedAt: Date
  readonly dataAt: Date
}

/** A stamp sorts by the time of the data, so that a condition can compare it with a moment. */
export const stampValue = (moment: string, computed: string): AttributeValue => ({ S: `${moment} ${computed}` })

/** The stamp of a summary in an item; undefined if no job has written it. */
export function stampIn(item: Item, storedName: string): SummaryStamp | undefined {
  const [moment, computed] = item[stampName(storedName)]?.S?.split(' ') ?? []
  if (moment === undefined || computed === undefined) return undefined
  return { computedAt: new Date(computed), dataAt: new Date(moment) }
}

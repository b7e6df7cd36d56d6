import { encodePrefix } from '../../layout/keys/encode-template.js'
import type { Layout } from '../../layout/layout.js'
import { ownKindByName, tenantValues } from '../identity.js'
import type { Plan } from '../plan.js'
import { expectedItems, pagesStep } from '../step.js'
import { resumeSteps } from './cursor.js'
import { assertLimit, type PathQuery, type ReadOptions } from './options.js'
import { projectedNamesOf } from './projection.js'

export interface ScanQuery
  extends ReadOptions,
    Pick<PathQuery, 'type' | 'filter' | 'limit' | 'cursor' | 'count' | 'only'> {}

/** Plans reading every row of a type by scanning the whole table. `sizes.items` is the number of items in the table. */
export function planScan(layout: Layout, query: ScanQuery): Plan {
  const { limit, only, count, tenant } = query
  const kind = ownKindByName(layout, query.type)
  assertLimit(limit)
  const pages = {
    items: expectedItems(query),
    typeMarks: [kind.typeMark],
    beginning: layout.design.tenant && encodePrefix(kind.keys[layout.names.partition]!, tenantValues(tenant), 1),
    attributes: only && !count && projectedNamesOf(layout, kind, only),
    countedType: count && kind.type,
  }
  const steps = resumeSteps(layout, [pagesStep(layout, 0, query, pages)], query.cursor)
  const selection = { steps: [0], reverse: false, kind: kind.name, limit }
  return { steps, answer: count ? { shape: 'count' } : { shape: 'rows', selection, only } }
}

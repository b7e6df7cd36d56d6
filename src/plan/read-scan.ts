import type { Layout } from '../layout/layout.js'
import { beginning } from '../layout/template-encode.js'
import { checkLimit, type PathAsk, type ReadOptions } from './ask.js'
import { resumed } from './cursor.js'
import { kindOf, tenantValues } from './identity.js'
import type { Plan } from './plan.js'
import { projected } from './project.js'
import { expectedItems, pagesStep } from './step.js'

export interface ScanAsk
  extends ReadOptions,
    Pick<PathAsk, 'type' | 'filter' | 'limit' | 'cursor' | 'count' | 'only'> {}

/** Every row of a type, by reading the whole table, whatever lies in it; `sizes.items` are those of the table. */
export function planScan(layout: Layout, ask: ScanAsk): Plan {
  const { limit, only, count, tenant } = ask
  const kind = kindOf(layout, ask.type)
  checkLimit(limit)
  const pages = {
    items: expectedItems(ask),
    marks: [kind.mark],
    beginning: layout.design.tenant && beginning(kind.keys[layout.names.partition]!, tenantValues(tenant), 1),
    attributes: only && !count && projected(layout, kind, only),
    counted: count && kind.type,
  }
  const steps = resumed(layout, [pagesStep(layout, 0, ask, pages)], ask.cursor)
  const found = { steps: [0], reverse: false, kind: kind.name, limit }
  return { steps, answer: count ? { shape: 'count' } : { shape: 'rows', found, only } }
}

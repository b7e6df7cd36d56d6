import { parseItem } from '../../../src/derive/settle/side-items.js'
import { nodeIdOf } from '../../../src/jobs/backfill/own-items.js'
import { repair } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { tenantOf } from '../../../src/plan/identity.js'
import type { DeclaredNode } from '../../../src/schema/declarations.js'
import type { Service } from '../../../src/store/port.js'
import { itemsIn } from './check-table.js'
import type { Random } from './random.js'

/** Repairs a random node with its edges. */
export async function repairAny(opened: object, layout: Layout, random: Random, plain: Service): Promise<void> {
  const nodes = (await itemsIn(plain, layout.design.name)).flatMap(item => {
    const found = parseItem(layout, item)
    return found?.kind.role === 'node' ? [found] : []
  })
  if (nodes.length === 0) return
  const { kind, values, item } = random.pick(nodes)
  const tenant = tenantOf(layout, values)
  const id = nodeIdOf(layout, kind.type as DeclaredNode, item)
  await repair(opened, { type: kind.type.name, id, ...(tenant !== undefined && { tenant }) })
}

import { GraphError } from '../schema/error.js'
import type { TableDesign } from './design.js'
import type { Layout } from './layout.js'

/** A layout, and not the graph itself: what a compiler would have refused. */
export function requireLayout(layout: Layout): Layout {
  if (!layout?.kinds) throw new GraphError('call.given', 'this is no layout: give what layout() answered')
  return layout
}

/** A design, and not the layout that has it. */
export function requireDesign(design: TableDesign): TableDesign {
  if (!design?.indexes) throw new GraphError('call.given', 'this is no design: give the design of a layout()')
  return design
}

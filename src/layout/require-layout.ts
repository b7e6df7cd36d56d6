import { GraphError } from '../schema/error.js'
import type { TableDesign } from './design.js'
import type { Layout } from './layout.js'

/** Returns the layout; throws for other values, such as a graph, that callers without a compiler may pass. */
export function requireLayout(layout: Layout): Layout {
  if (!layout?.kinds)
    throw new GraphError('call.argument', 'layout: the argument is not a layout; give the result of layout().')
  return layout
}

/** Returns the design; throws for other values, such as the layout of the design. */
export function requireDesign(design: TableDesign): TableDesign {
  if (!design?.indexes)
    throw new GraphError(
      'call.argument',
      "design: the argument is not a table design; give the member 'design' of a layout.",
    )
  return design
}

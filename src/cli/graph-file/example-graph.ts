import { memory } from '../../engine/index.js'
import { open } from '../../graph/open.js'
import type { Layout } from '../../layout/layout.js'
import { AWS_NAME_PATTERN } from '../../table/aws-name.js'

/**
 * Opens a graph in memory, to preview its calls. The graph's name may be invalid for a table, so the table has a
 * different name then.
 */
export function openExampleGraph(layout: Layout) {
  const { name } = layout.design
  return open(layout, memory(), { table: AWS_NAME_PATTERN.test(name) ? name : 'example' })
}

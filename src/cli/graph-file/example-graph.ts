import { memory } from '../../engine/index.js'
import { open } from '../../graph/open.js'
import type { Layout } from '../../layout/layout.js'
import { AWS_NAME_PATTERN } from '../../table/aws-name.js'

/** A graph in memory, to see what its calls would do. It may be called as no table can be: its own has another name then. */
export function openExampleGraph(layout: Layout) {
  const { name } = layout.design
  return open(layout, memory(), { table: AWS_NAME_PATTERN.test(name) ? name : 'example' })
}

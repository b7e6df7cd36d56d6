import { memory } from '../engine/index.js'
import { open } from '../graph/open.js'
import type { Layout } from '../layout/layout.js'
import { SERVICE_NAME } from '../table/service-name.js'

/** A graph in memory, to see what its calls would do. It may be called as no table can be: its own has another name then. */
export function openExample(layout: Layout) {
  const { name } = layout.design
  return open(layout, memory(), { table: SERVICE_NAME.test(name) ? name : 'example' })
}

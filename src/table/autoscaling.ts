import type { Capacity, TableDesign } from '../layout/design.js'
import { globalIndexes, indexCapacity } from './definition.js'
import { indexIdentifiers } from './identifiers.js'
import type { Production } from './production.js'

/** One capacity that follows its use. */
export interface Scaling {
  /** Words of letters and digits that make its name in templates. */
  readonly id: readonly string[]
  /** Undefined for the table itself. */
  readonly index: string | undefined
  readonly what: 'Read' | 'Write'
  /** `dynamodb:table:ReadCapacityUnits` and the like. */
  readonly dimension: string
  readonly metric: string
  readonly least: number
  readonly most: number
  readonly targetPercent: number
}

/** For a provisioned table, reads and writes of the table and of each global index: all, or one throttles the others. */
export function scalings(design: TableDesign, { autoscaling }: Production): Scaling[] {
  const { capacity } = design
  if (!autoscaling || capacity === 'on-demand') return []
  const identifiers = indexIdentifiers(design)
  const scaling = (index: string | undefined, what: 'Read' | 'Write', units: number): Scaling => ({
    id: index === undefined ? [what] : [identifiers.get(index)!, what],
    index,
    what,
    dimension: `dynamodb:${index === undefined ? 'table' : 'index'}:${what}CapacityUnits`,
    metric: `DynamoDB${what}CapacityUtilization`,
    least: Math.max(1, Math.floor(units * autoscaling.least)),
    most: Math.max(1, Math.ceil(units * autoscaling.most)),
    targetPercent: autoscaling.targetPercent,
  })
  const both = (index: string | undefined, { read, write }: Capacity) => [
    scaling(index, 'Read', read),
    scaling(index, 'Write', write),
  ]
  return [
    ...both(undefined, capacity),
    ...globalIndexes(design).flatMap(index => both(index.name, indexCapacity(design, index) ?? capacity)),
  ]
}

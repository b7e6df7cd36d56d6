import type { ProvisionedCapacity, TableDesign } from '../../layout/design.js'
import { indexIdentifiersOf } from '../export/index-identifiers.js'
import { globalIndexesOf, indexCapacityOf } from '../table-definition.js'
import type { ProductionSettings } from './production.js'

/** One capacity that follows its use. */
export interface ScalingTarget {
  /** Words of letters and digits that make its name in templates. */
  readonly id: readonly string[]
  /** Undefined for the table itself. */
  readonly index: string | undefined
  readonly operation: 'Read' | 'Write'
  /** `dynamodb:table:ReadCapacityUnits` and the like. */
  readonly dimension: string
  readonly metric: string
  readonly minCapacity: number
  readonly maxCapacity: number
  readonly targetPercent: number
}

/** For a provisioned table, reads and writes of the table and of each global index: all, or one throttles the others. */
export function scalingTargetsOf(design: TableDesign, { autoscaling }: ProductionSettings): ScalingTarget[] {
  const { capacity } = design
  if (!autoscaling || capacity === 'on-demand') return []
  const identifiers = indexIdentifiersOf(design)
  const toTarget = (index: string | undefined, operation: 'Read' | 'Write', units: number): ScalingTarget => ({
    id: index === undefined ? [operation] : [identifiers.get(index)!, operation],
    index,
    operation,
    dimension: `dynamodb:${index === undefined ? 'table' : 'index'}:${operation}CapacityUnits`,
    metric: `DynamoDB${operation}CapacityUtilization`,
    minCapacity: Math.max(1, Math.floor(units * autoscaling.least)),
    maxCapacity: Math.max(1, Math.ceil(units * autoscaling.most)),
    targetPercent: autoscaling.targetPercent,
  })
  const toTargets = (index: string | undefined, { read, write }: ProvisionedCapacity) => [
    toTarget(index, 'Read', read),
    toTarget(index, 'Write', write),
  ]
  return [
    ...toTargets(undefined, capacity),
    ...globalIndexesOf(design).flatMap(index => toTargets(index.name, indexCapacityOf(design, index) ?? capacity)),
  ]
}

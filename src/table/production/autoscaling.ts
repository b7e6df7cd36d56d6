import type { ProvisionedCapacity, TableDesign } from '../../layout/design.js'
import { indexIdentifiersOf } from '../export/index-identifiers.js'
import { globalIndexesOf, indexCapacityOf } from '../table-definition.js'
import type { ProductionSettings } from './production.js'

/** A capacity with autoscaling. */
export interface ScalingTarget {
  /** The words of its identifier in templates, of letters and digits. */
  readonly id: readonly string[]
  /** The index; undefined for the table. */
  readonly index: string | undefined
  readonly operation: 'Read' | 'Write'
  /** The scalable dimension, such as `dynamodb:table:ReadCapacityUnits`. */
  readonly dimension: string
  readonly metric: string
  readonly minCapacity: number
  readonly maxCapacity: number
  readonly targetPercent: number
}

/**
 * Returns the scaling targets of a provisioned table: reads and writes of the table and of each global index. All of
 * them scale, because one that does not would throttle the others.
 */
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

import { keeps } from '../../dynamodb/model/constraints.js'
import { select } from '../../dynamodb/model/members.js'
import { Path } from '../../dynamodb/model/path.js'
import { violationText } from '../../dynamodb/model/wording.js'
import type { Select } from '../../dynamodb/operations/reads.js'
import { invalidParameter, validation } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import type { Projection } from '../expressions/projection.js'
import { enveloped } from '../request/read.js'
import { javaOrder } from '../tables/java-order.js'
import type { Layer } from '../values/layer.js'
import type { Source } from './source.js'

interface SelectRequest {
  Select?: Select | undefined
  IndexName?: string | undefined
  ProjectionExpression?: string | undefined
  AttributesToGet?: string[] | undefined
}

/** Checks Select against the rest of the request. The older validator refuses without the envelope of the current one. */
export function checkSelect(request: SelectRequest, layer: Layer): void {
  const fault = selectFault(request)
  if (fault !== undefined) throw layer === 'older' ? validation(fault) : enveloped(fault)
}

function selectFault(request: SelectRequest): string | undefined {
  const { Select, IndexName, ProjectionExpression, AttributesToGet } = request
  if (Select === undefined || Select === null) return undefined
  const broken = select.constraints.find(constraint => !keeps(constraint, Select))
  if (broken) return violationText(select, broken, Select, Path.root.member('Select'))
  const projected =
    (AttributesToGet && 'AttributesToGet') ?? (ProjectionExpression !== undefined ? 'ProjectionExpression' : undefined)
  if (Select === 'SPECIFIC_ATTRIBUTES') {
    if (projected) return undefined
    return 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
  }
  if (projected) {
    const wanted = Select === 'COUNT' ? 'only the Count' : Select
    return `Cannot specify the ${projected} when choosing to get ${wanted}`
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && (IndexName === undefined || IndexName === null))
    return 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'
  return undefined
}

/**
 * Whether each entry of an index must be completed from the table. Only a local index does that, and pays for it; a
 * global one refuses to be asked for what it does not have.
 */
export function readsTable(source: Source, select: Select | undefined, projection: Projection | undefined): boolean {
  const { index } = source
  if (!index?.projected) return false
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true
    throw invalidParameter(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} ` +
        'because its projection type is not ALL',
    )
  }
  if (!projection) return false
  const missing = projection.names.filter(name => !index.projected!.has(name))
  if (missing.length === 0) return false
  if (index.kind === 'local') return true
  throw invalidParameter(`Global secondary index ${index.name} does not project [${missing.join(', ')}]`)
}

type Filter = Pick<Condition, 'names'>

/** Whether a filter is by nothing but what an index has. */
export function isFilterProjected(source: Source, filter: Filter): boolean {
  return unprojected(source, filter).length === 0
}

/** A query of an index filters by what the index has; only a scan takes the rest as missing. */
export function checkFilterProjected(source: Source, filter: Filter | undefined): void {
  const missing = filter ? unprojected(source, filter) : []
  if (missing.length === 0) return
  const listed = javaOrder(missing, 'default').join(', ')
  throw invalidParameter(
    `Secondary index ${source.index!.name} does not project one or more filter attributes: [${listed}]`,
  )
}

function unprojected({ index }: Source, { names }: Filter): string[] {
  const projected = index?.projected
  return projected ? [...names].filter(name => !projected.has(name)) : []
}

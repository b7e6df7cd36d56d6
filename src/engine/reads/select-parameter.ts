import { isSatisfiedBy } from '../../dynamodb/model/constraints.js'
import { MODEL } from '../../dynamodb/model/operations.js'
import { MemberPath } from '../../dynamodb/model/path.js'
import { formatViolation } from '../../dynamodb/model/wording.js'
import type { Select } from '../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../errors.js'
import type { ConditionExpression } from '../expressions/condition.js'
import type { ProjectionExpression } from '../expressions/projection.js'
import { envelopedError } from '../request/validator-migration.js'
import { sortInJavaOrder } from '../tables/java-order.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import type { ReadSource } from './read-source.js'

interface SelectRequest {
  Select?: Select | undefined
  IndexName?: string | undefined
  ProjectionExpression?: string | undefined
  AttributesToGet?: string[] | undefined
}

/** Checks Select against the rest of the request. The older validator omits the prefix of the current one. */
export function checkSelectParameter(request: SelectRequest, layer: ValidatorLayer): void {
  const fault = findSelectProblem(request)
  if (fault !== undefined) throw layer === 'older' ? validationError(fault) : envelopedError(fault)
}

function findSelectProblem(request: SelectRequest): string | undefined {
  const { Select, IndexName, ProjectionExpression, AttributesToGet } = request
  if (Select === undefined || Select === null) return undefined
  const select = MODEL.Query.members.Select!
  const broken = select.constraints.find(constraint => !isSatisfiedBy(constraint, Select))
  if (broken) return formatViolation(select, broken, Select, MemberPath.root.member('Select'))
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
 * Returns whether index entries must be completed from the table. Only a local index supports this and consumes units
 * for it; for a global index, missing attributes are an error.
 */
export function shouldReadTable(
  source: ReadSource,
  select: Select | undefined,
  projection: ProjectionExpression | undefined,
): boolean {
  const { index } = source
  if (!index?.projected) return false
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true
    throw invalidParameterError(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} ` +
        'because its projection type is not ALL',
    )
  }
  if (!projection) return false
  const missing = projection.names.filter(name => !index.projected!.has(name))
  if (missing.length === 0) return false
  if (index.kind === 'local') return true
  throw invalidParameterError(`Global secondary index ${index.name} does not project [${missing.join(', ')}]`)
}

type Filter = Pick<ConditionExpression, 'names'>

/** Returns whether an index has all attributes of a filter. */
export function isFilterProjected(source: ReadSource, filter: Filter): boolean {
  return unprojectedNamesOf(source, filter).length === 0
}

/** Throws if a filter uses attributes that the index lacks. Only queries check this; a scan treats them as missing. */
export function checkFilterProjected(source: ReadSource, filter: Filter | undefined): void {
  const missing = filter ? unprojectedNamesOf(source, filter) : []
  if (missing.length === 0) return
  const listed = sortInJavaOrder(missing, 'default').join(', ')
  throw invalidParameterError(
    `Secondary index ${source.index!.name} does not project one or more filter attributes: [${listed}]`,
  )
}

function unprojectedNamesOf({ index }: ReadSource, { names }: Filter): string[] {
  const projected = index?.projected
  return projected ? [...names].filter(name => !projected.has(name)) : []
}

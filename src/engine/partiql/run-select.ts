import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { countReadUnits, type ReadConsistency } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { OperationUnits } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import { validationError } from '../errors.js'
import type { ProjectionExpression } from '../expressions/projection.js'
import { toOutputItem } from '../items/output-item.js'
import { checkScalarKeys } from '../keys/check-key.js'
import { upperBoundOf } from '../keys/key-encoder.js'
import { encodeKey } from '../keys/key-schema.js'
import { encodePositionKey, positionKeyOf, type ReadSource, unsupportedIndexTypeError } from '../reads/read-source.js'
import { checkFilterProjected, isFilterProjected, shouldReadTable } from '../reads/select-parameter.js'
import { findIndex, findTable } from '../tables/find-table.js'
import type { Table } from '../tables/table.js'
import { type TrafficTarget, trafficTargetOf } from '../traffic/traffic-target.js'
import { compareValues } from '../values/compare-values.js'
import type { StoredItem } from '../values/stored-item.js'
import { checkStatementTarget } from './check-target.js'
import type { StatementParameters } from './literal-values.js'
import type { PagePosition } from './next-token.js'
import { checkOrderTerms, type ReadOrder, readOrderOf } from './order-by.js'
import type { SelectStatement } from './parsing/syntax.js'
import {
  checkBranchKeyValues,
  FULL_READ_RANGE,
  maxReadsPerPage,
  type ReadRange,
  readRangesOf,
  sortRanges,
} from './read-ranges.js'
import { toProjectionExpression } from './select-projection.js'
import { requireAllKeyed, type WhereBranch, whereBranchesOf } from './where-branches.js'
import { toWhereClause, type WhereClause } from './where-clause.js'

/** A parsed SELECT, with all checks that do not need the table. */
export interface PreparedSelect {
  readonly statement: SelectStatement
  readonly projection: ProjectionExpression | undefined
  readonly where: WhereClause | undefined
}

export function prepareSelect(statement: SelectStatement, parameters: StatementParameters): PreparedSelect {
  if (statement.unsupportedError) throw statement.unsupportedError
  checkStatementTarget(statement.target)
  const projection = statement.projection && toProjectionExpression(statement.projection)
  const where = statement.where && toWhereClause(statement.where, parameters)
  return { statement, projection, where }
}

export interface SelectOptions {
  readonly consistency: ReadConsistency
  readonly limit: number
  readonly startPosition: PagePosition | undefined
}

export interface SelectPage {
  readonly items: Item[]
  readonly table: Table
  readonly units: OperationUnits
  /** The position to continue from, if more items may follow. */
  readonly endPosition: PagePosition | undefined
  /** The key of the last evaluated item, if the page ended there. */
  readonly lastKey: Key | undefined
}

/** Reads one page of a SELECT: single keys, partitions or the whole table, depending on the clause. */
export function runSelect(engine: Engine, prepared: PreparedSelect, options: SelectOptions): SelectPage {
  const { statement, projection, where } = prepared
  const source = resolveSelectSource(engine, statement, options.consistency)
  const ranges = planSelect(source, prepared)
  checkScalarKeys(source.table, projection?.nestedNames)
  const completeFromTable = shouldReadTable(source, undefined, projection)
  checkScalarKeys(source.table, where?.condition.nestedNames)
  const page = new SelectPageReader(engine, source, prepared, options, completeFromTable)
  return page.read(ranges)
}

function resolveSelectSource(engine: Engine, { target }: SelectStatement, consistency: ReadConsistency): ReadSource {
  const [tableName, indexName] = target.names as [string, string?]
  const table = findTable(engine, tableName)
  if (indexName === undefined) return { table, index: undefined, keys: table.keys, space: table.space }
  // Unlike Query and Scan, a statement does not report the name of the index.
  if (table.vectorIndexes.some(({ name }) => name === indexName)) throw unsupportedIndexTypeError('Scan')
  if (!table.indexes.some(({ name }) => name === indexName))
    throw validationError('The table does not have the specified index')
  const index = findIndex(table, indexName)
  if (index.kind === 'global' && consistency === 'strong')
    throw validationError('Strongly consistent read is not supported on Global Secondary Indexes')
  return { table, index, keys: index.keys, space: index.space }
}

interface SelectPlan {
  readonly ranges: readonly ReadRange[]
  readonly order: ReadOrder | undefined
  readonly maxReads: number
}

function planSelect(source: ReadSource, { statement, where }: PreparedSelect): SelectPlan {
  const [partition] = source.keys.partition
  const [sort] = source.keys.sort
  checkOrderTerms(statement, partition!, sort)
  const named = (where && whereBranchesOf(where, partition!, sort)) ?? []
  checkBranchKeyValues(named, partition!, sort)
  // If any branch has no key condition, the whole table is read.
  const branches = requireAllKeyed(named)
  const ranges = branches ? readRangesOf(branches, partition!, sort) : [FULL_READ_RANGE]
  if (branches) checkBranchesProjected(source, branches)
  const order = readOrderOf(statement, branches, partition!, sort)
  return {
    ranges: order ? sortRanges(ranges, order.hasDescendingPartitions, order.isReversed) : ranges,
    order,
    maxReads: maxReadsPerPage(branches ?? []),
  }
}

/**
 * Checks the projection of an index. If no branch has all of its attributes projected, the error names those of the
 * last partition.
 */
function checkBranchesProjected(source: ReadSource, branches: readonly WhereBranch[]): void {
  if (branches.some(branch => isFilterProjected(source, branch))) return
  const named = branches.flatMap(branch => branch.partitions.map(partition => ({ partition, branch })))
  const last = named.sort((a, b) => compareValues(a.partition, b.partition) ?? 0).at(-1)
  checkFilterProjected(source, last?.branch ?? branches[0])
}

class SelectPageReader {
  private readonly items: Item[] = []
  private scanned = 0
  private bytes = 0
  private tableUnits = 0
  private readUnits = 0
  private endPosition: PagePosition | undefined
  private lastKey: Key | undefined

  constructor(
    private readonly engine: Engine,
    private readonly source: ReadSource,
    private readonly prepared: PreparedSelect,
    private readonly options: SelectOptions,
    private readonly completeFromTable: boolean,
  ) {}

  read({ ranges, order, maxReads }: SelectPlan): SelectPage {
    const { startPosition, consistency } = this.options
    const first = startPosition?.range ?? 0
    if (first >= ranges.length && ranges.length > 0) throw validationError('Invalid NextToken')
    const last = Math.min(ranges.length, first + maxReads)
    for (let i = first; i < last && !this.endPosition; i++) {
      const before = { bytes: this.bytes, tableUnits: this.tableUnits }
      const target = this.admitRange(ranges[i]!)
      this.readRange(ranges[i]!, i, order?.isReversed ?? false, i === first ? startPosition?.key : undefined)
      // Each range is a separate read with its own rounding of units.
      const spent = countReadUnits(this.bytes - before.bytes, consistency)
      this.readUnits += spent
      if (target) this.engine.traffic?.countRead(target, this.toUnits(spent, this.tableUnits - before.tableUnits))
    }
    if (last < ranges.length) this.endPosition ??= { range: last, key: undefined }
    if (ranges.length === 1 && this.isSingleKeyRange(ranges[0]!)) this.endPosition = undefined
    if (ranges.length === 0) this.readUnits = countReadUnits(0, consistency)
    return {
      items: this.items,
      table: this.source.table,
      units: this.toUnits(this.readUnits, this.tableUnits),
      endPosition: this.endPosition,
      lastKey: this.lastKey,
    }
  }

  /** Returns whether a range is a single key of the table and the page ended with it. */
  private isSingleKeyRange({ from, to }: ReadRange): boolean {
    return !this.source.index && this.endPosition?.key === from && to === upperBoundOf(from)
  }

  private readRange({ from, to }: ReadRange, index: number, reverse: boolean, after: string | undefined): void {
    const start = reverse || after === undefined ? from : `${after}\x00`
    const range = { from: start, to: reverse && after !== undefined ? after : to, reverse }
    this.source.space.range(range, entry => {
      this.addEntry(entry)
      if (this.scanned < this.options.limit && this.bytes < PAGE_BYTES) return true
      this.lastKey = positionKeyOf(this.source, entry)
      this.endPosition = { range: index, key: encodePositionKey(this.source, entry.item) }
      return false
    })
  }

  private addEntry(entry: StoredItem): void {
    this.scanned++
    this.bytes += entry.sizeBytes
    const { where, projection } = this.prepared
    const stored = this.completeFromTable ? this.completeEntry(entry) : entry
    if (!where || where.condition.test(stored.item)) this.items.push(toOutputItem(stored, projection))
  }

  /** Reads the whole item from the table if a local index lacks attributes. Each of these reads consumes units. */
  private completeEntry(entry: StoredItem): StoredItem {
    const { table } = this.source
    const whole = table.space.get(encodeKey(table.keys, entry.item)) ?? entry
    this.tableUnits += countReadUnits(whole.sizeBytes, this.options.consistency)
    return whole
  }

  private toUnits(read: number, completing: number): OperationUnits {
    const { index } = this.source
    return index ? { table: completing, indexes: new Map([[index, read]]) } : { table: read, indexes: undefined }
  }

  /** If traffic is counted, checks the capacity for a range and returns its target. */
  private admitRange({ partition, from }: ReadRange): TrafficTarget | undefined {
    const { traffic } = this.engine
    if (!traffic) return undefined
    const { table, index } = this.source
    const target = partition ? trafficTargetOf(table, index, from) : { table, index, partition: undefined }
    traffic.admit(this.engine, target, 'Read')
    return target
  }
}

import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { type ReadConsistency, readUnits } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { Units } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Projection } from '../expressions/projection.js'
import { answerItem } from '../items/read.js'
import { checkScalarKeys } from '../keys/check.js'
import { after } from '../keys/encoder.js'
import { encodeKey } from '../keys/schema.js'
import { checkFilterProjected, isFilterProjected, readsTable } from '../reads/select.js'
import { encodePosition, notRead, positionOf, type Source } from '../reads/source.js'
import { findIndex, findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { type Target, targetOf } from '../traffic/target.js'
import { compareValues } from '../values/compare.js'
import type { Stored } from '../values/stored.js'
import { allNamed, type Branch, branchesOf } from './branches.js'
import type { Parameters } from './literals.js'
import type { Place } from './next-token.js'
import { checkOrderTerms, type Order, orderOf } from './order.js'
import { readProjection } from './projection.js'
import { checkKeyValues, EVERYTHING, inOrder, type ReadRange, rangesOf, readsAPage } from './ranges.js'
import type { SelectStatement } from './syntax.js'
import { checkTarget } from './target.js'
import { readWhere, type Where } from './where.js'

/** A SELECT that has been read as far as that can be done without its table. */
export interface PreparedSelect {
  readonly statement: SelectStatement
  readonly projection: Projection | undefined
  readonly where: Where | undefined
}

export function prepareSelect(statement: SelectStatement, parameters: Parameters): PreparedSelect {
  if (statement.unsupported) throw statement.unsupported
  checkTarget(statement.target)
  const projection = statement.projection && readProjection(statement.projection)
  const where = statement.where && readWhere(statement.where, parameters)
  return { statement, projection, where }
}

export interface SelectOptions {
  readonly consistency: ReadConsistency
  readonly limit: number
  readonly start: Place | undefined
}

export interface SelectPage {
  readonly items: Item[]
  readonly table: Table
  readonly units: Units
  /** Where to go on, if there may be more. */
  readonly end: Place | undefined
  /** The last that was looked at, where the page ended with it. */
  readonly last: Key | undefined
}

/** One page of a SELECT: of single keys, of partitions, or of all that there is, whichever the clause allows. */
export function runSelect(engine: Engine, prepared: PreparedSelect, options: SelectOptions): SelectPage {
  const { statement, projection, where } = prepared
  const source = readSource(engine, statement, options.consistency)
  const ranges = plan(source, prepared)
  checkScalarKeys(source.table, projection?.nestedNames)
  const completeFromTable = readsTable(source, undefined, projection)
  checkScalarKeys(source.table, where?.condition.nestedNames)
  const page = new Page(engine, source, prepared, options, completeFromTable)
  return page.read(ranges)
}

function readSource(engine: Engine, { target }: SelectStatement, consistency: ReadConsistency): Source {
  const [tableName, indexName] = target.names as [string, string?]
  const table = findTable(engine, tableName)
  if (indexName === undefined) return { table, index: undefined, keys: table.keys, space: table.space }
  // A statement is not told which one.
  if (table.vectorIndexes.some(({ name }) => name === indexName)) throw notRead('Scan')
  if (!table.indexes.some(({ name }) => name === indexName))
    throw validation('The table does not have the specified index')
  const index = findIndex(table, indexName)
  if (index.kind === 'global' && consistency === 'strong')
    throw validation('Strongly consistent read is not supported on Global Secondary Indexes')
  return { table, index, keys: index.keys, space: index.space }
}

interface Plan {
  readonly ranges: readonly ReadRange[]
  readonly order: Order | undefined
  readonly readsAPage: number
}

function plan(source: Source, { statement, where }: PreparedSelect): Plan {
  const [partition] = source.keys.partition
  const [sort] = source.keys.sort
  checkOrderTerms(statement, partition!, sort)
  const named = (where && branchesOf(where, partition!, sort)) ?? []
  checkKeyValues(named, partition!, sort)
  // Unless each branch is read by its key all of it must be looked at.
  const branches = allNamed(named)
  const ranges = branches ? rangesOf(branches, partition!, sort) : [EVERYTHING]
  if (branches) checkProjected(source, branches)
  const order = orderOf(statement, branches, partition!, sort)
  return {
    ranges: order ? inOrder(ranges, order.descending, order.reverse) : ranges,
    order,
    readsAPage: readsAPage(branches ?? []),
  }
}

/** Unless some branch has all that it asks for, the one of the last partition is told of. */
function checkProjected(source: Source, branches: readonly Branch[]): void {
  if (branches.some(branch => isFilterProjected(source, branch))) return
  const named = branches.flatMap(branch => branch.partitions.map(partition => ({ partition, branch })))
  const last = named.sort((a, b) => compareValues(a.partition, b.partition) ?? 0).at(-1)
  checkFilterProjected(source, last?.branch ?? branches[0])
}

class Page {
  private readonly items: Item[] = []
  private scanned = 0
  private bytes = 0
  private tableUnits = 0
  private readUnits = 0
  private end: Place | undefined
  private last: Key | undefined

  constructor(
    private readonly engine: Engine,
    private readonly source: Source,
    private readonly prepared: PreparedSelect,
    private readonly options: SelectOptions,
    private readonly completeFromTable: boolean,
  ) {}

  read({ ranges, order, readsAPage }: Plan): SelectPage {
    const { start, consistency } = this.options
    const first = start?.range ?? 0
    if (first >= ranges.length && ranges.length > 0) throw validation('Invalid NextToken')
    const last = Math.min(ranges.length, first + readsAPage)
    for (let i = first; i < last && !this.end; i++) {
      const before = { bytes: this.bytes, tableUnits: this.tableUnits }
      const target = this.admitted(ranges[i]!)
      this.readRange(ranges[i]!, i, order?.reverse ?? false, i === first ? start?.key : undefined)
      // Each range is a read of its own, and is paid for as one.
      const spent = readUnits(this.bytes - before.bytes, consistency)
      this.readUnits += spent
      if (target) this.engine.traffic?.countRead(target, this.units(spent, this.tableUnits - before.tableUnits))
    }
    if (last < ranges.length) this.end ??= { range: last, key: undefined }
    if (ranges.length === 1 && this.isOfOne(ranges[0]!)) this.end = undefined
    if (ranges.length === 0) this.readUnits = readUnits(0, consistency)
    return {
      items: this.items,
      table: this.source.table,
      units: this.units(this.readUnits, this.tableUnits),
      end: this.end,
      last: this.last,
    }
  }

  /** Whether a range is of one key of the table, at which the page ended. */
  private isOfOne({ from, to }: ReadRange): boolean {
    return !this.source.index && this.end?.key === from && to === after(from)
  }

  private readRange({ from, to }: ReadRange, index: number, reverse: boolean, after: string | undefined): void {
    const start = reverse || after === undefined ? from : `${after}\x00`
    const range = { from: start, to: reverse && after !== undefined ? after : to, reverse }
    this.source.space.range(range, entry => {
      this.take(entry)
      if (this.scanned < this.options.limit && this.bytes < PAGE_BYTES) return true
      this.last = positionOf(this.source, entry)
      this.end = { range: index, key: encodePosition(this.source, entry.item) }
      return false
    })
  }

  private take(entry: Stored): void {
    this.scanned++
    this.bytes += entry.sizeBytes
    const { where, projection } = this.prepared
    const stored = this.completeFromTable ? this.complete(entry) : entry
    if (!where || where.condition.test(stored.item)) this.items.push(answerItem(stored, projection))
  }

  /** What a local index does not have is fetched from the table, at the price of a read each. */
  private complete(entry: Stored): Stored {
    const { table } = this.source
    const whole = table.space.get(encodeKey(table.keys, entry.item)) ?? entry
    this.tableUnits += readUnits(whole.sizeBytes, this.options.consistency)
    return whole
  }

  private units(read: number, completing: number): Units {
    const { index } = this.source
    return index ? { table: completing, indexes: new Map([[index, read]]) } : { table: read, indexes: undefined }
  }

  /** Where traffic is watched: what a range is of, once that may be read. */
  private admitted({ partition, from }: ReadRange): Target | undefined {
    const { traffic } = this.engine
    if (!traffic) return undefined
    const { table, index } = this.source
    const target = partition ? targetOf(table, index, from) : { table, index, partition: undefined }
    traffic.admit(this.engine, target, 'Read')
    return target
  }
}

import type { Layout } from '../../layout/layout.js'
import type { ProgramContext } from '../algorithms/graph-tables.js'
import { create, type SqlStep } from '../algorithms/program.js'
import { ownItemQuery, storedLayoutQuery } from '../sources/assert-layout.js'
import { itemColumns, PHYSICAL } from '../sources/item-table.js'
import { allRowsQuery, changedQuery, resultQueries, targetsOf } from '../summaries/result-query.js'
import { definitionOf } from '../summaries/run-record.js'
import type { SummaryJob } from '../summaries/summary-job.js'
import { indexViews, typeViews } from '../views/create-views.js'
import { MOMENT_MS, sparkDialect } from './spark-dialect.js'

/** A statement, a loop of statements, or a condition that ends a run with a message. */
export type SparkStep =
  | SqlStep
  | {
      /** Columns that the table `of` must have. */
      readonly columns: readonly string[]
      readonly of: string
      /** The error; `{name}` is the missing column, `{columns}` those that the table has. */
      readonly message: string
    }
  | {
      /** A query that must have no row. */
      readonly empty: string
      /** The error; `{row}` is the row. */
      readonly message: string
    }

/** What a run on Spark does, as plain data. The program `spark/edgewise_batch.py` interprets it. */
export interface SparkPlan {
  readonly version: 1
  /** The layout of the graph. Results are taken only by a graph with the same layout. */
  readonly fingerprint: string
  /** Paths or addresses of a full export and its incremental exports; the run may name others. */
  readonly source: readonly string[]
  /** The names of the key attributes. */
  readonly keys: readonly string[]
  /** The columns of items, from `documents` with the column `Item`. */
  readonly items: string
  /** The keys and new images of changes, from `documents` with the columns `Keys` and `NewImage`. */
  readonly changes: string
  /** The new images of the table `increment` as the column `Item`. */
  readonly images: string
  readonly views: readonly { readonly name: string; readonly as: string; readonly schema?: typeof PHYSICAL }[]
  /** The item that records the layout of the table. The results have it, and it must be that of the graph. */
  readonly storedLayout: string
  /** A row if the table has an item of the graph. Without both, the items are of another table. */
  readonly ownItem: string
  /** The computations, which run one after the other over the same items. */
  readonly jobs: readonly SparkJob[]
}

/** A summary job or a validation within a plan. */
export interface SparkJob {
  /** The name of the summary job, or `$validation`. */
  readonly name: string
  /** Of a summary job what it computes. The results have it, and it must be that of the job that writes them. */
  readonly definition?: string
  readonly steps: readonly SparkStep[]
  /** Queries whose rows are written. */
  readonly results: readonly { readonly name: string; readonly as: string }[]
}

/** The name of a validation in a plan. No job has it, because names of programs do not begin with `$`. */
export const VALIDATION = '$validation'

/** The result of a summary job: keys, values and items of the rows that seem to differ. */
export const CHANGES = 'changes'
/** The result of a summary job: keys and values of all rows, for a comparison with live items. */
export const ROWS = 'rows'
const RESULT = 'edgewise_result'

/** The context of statements that run on Spark. */
export function sparkContext(layout: Layout): ProgramContext {
  return {
    layout,
    dialect: sparkDialect,
    views: typeViews({ layout, dialect: sparkDialect }, MOMENT_MS),
    momentMs: MOMENT_MS,
  }
}

/** A summary job in a plan. */
export function summarySparkJob(context: ProgramContext, job: SummaryJob): SparkJob {
  const targets = targetsOf(context, job)
  const { steps, result } = job.program(context)
  const queries = resultQueries(context, job, targets, `SELECT * FROM ${RESULT}`)
  return {
    name: job.name,
    definition: definitionOf(job),
    steps: [
      ...steps,
      create(RESULT, result),
      { columns: queries.columns, of: RESULT, message: queries.missingColumn },
      ...(queries.repeated === undefined ? [] : [{ empty: queries.repeated, message: queries.repeatedRow }]),
    ],
    results: [
      { name: CHANGES, as: changedQuery(context, queries.rows, targets) },
      { name: ROWS, as: allRowsQuery(context, queries.rows) },
    ],
  }
}

/** The part of a plan that reads the items and names the views. */
export function readingPlan(
  { layout, dialect, views }: ProgramContext,
  source: readonly string[],
): Omit<SparkPlan, 'jobs'> {
  const changes = itemColumns(layout, dialect, 'SELECT Keys AS item, NewImage AS image FROM documents', ['image'])
  return {
    version: 1,
    fingerprint: layout.fingerprint,
    source,
    keys: layout.names.keys,
    items: itemColumns(layout, dialect, 'SELECT Item AS item FROM documents'),
    changes: `SELECT pk, sk, image FROM (${changes})`,
    storedLayout: storedLayoutQuery(layout),
    ownItem: ownItemQuery(layout),
    images: "SELECT image AS Item FROM increment WHERE schema_of_variant(image) LIKE 'OBJECT%'",
    views: [
      ...views.map(({ name, sql }) => ({ name, as: sql })),
      ...indexViews({ layout, dialect }).map(({ name, sql }) => ({ name, as: sql, schema: PHYSICAL })),
    ],
  }
}

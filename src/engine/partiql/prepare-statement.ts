import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Engine } from '../engine.js'
import { ServiceError, validationError } from '../errors.js'
import { findTable } from '../tables/find-table.js'
import type { Table } from '../tables/table.js'
import { parseParameters, type StatementParameters } from './literal-values.js'
import { parseStatement } from './parsing/statement-parser.js'
import type { PartiqlTarget } from './parsing/syntax.js'
import { type PreparedWrite, prepareWrite } from './prepare-write.js'
import { type PreparedSelect, prepareSelect } from './run-select.js'

/** A parsed statement that is ready to run. */
export type PreparedStatement =
  | { readonly kind: 'read'; readonly select: PreparedSelect; readonly parameters: StatementParameters }
  | { readonly kind: 'write'; readonly write: PreparedWrite; readonly parameters: StatementParameters }

interface StatementInput {
  readonly Statement: string
  readonly Parameters?: readonly AttributeValue[] | undefined
}

/** Parses a statement. Parameters are parsed first, even those that the statement does not use. */
export function prepareStatement(engine: Engine, input: StatementInput): PreparedStatement {
  return prepareStatementWith(engine, input, parseParameters(input.Parameters))
}

/** Parses a statement with parsed parameters and a custom check of reads from an index. */
export function prepareStatementWith(
  engine: Engine,
  { Statement: text }: StatementInput,
  parameters: StatementParameters,
  checkIndex: (engine: Engine, target: PartiqlTarget) => void = checkSingleAttributeKeys,
): PreparedStatement {
  const { statement, parameterCount: places } = parseStatement(text)
  if (places > parameters.length) throw validationError("Number of parameters in request and statement don't match.")
  if (statement.type !== 'select') return { kind: 'write', write: prepareWrite(statement, parameters), parameters }
  checkIndex(engine, statement.target)
  return { kind: 'read', select: prepareSelect(statement, parameters), parameters }
}

/**
 * Throws for an index whose partition or sort key has several attributes. The service reports this before all other
 * errors of the statement.
 */
function checkSingleAttributeKeys(engine: Engine, { names: [nameOrArn = '', indexName] }: PartiqlTarget): void {
  if (indexName === undefined) return
  const keys = findTableIfUsable(engine, nameOrArn)?.indexes.find(({ name }) => name === indexName)?.keys
  if (keys && (keys.partition.length > 1 || keys.sort.length > 1))
    throw validationError(
      'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    )
}

/** Returns the table, or undefined if it cannot be used. A missing table is reported later. */
export function findTableIfUsable(engine: Engine, nameOrArn: string): Table | undefined {
  try {
    return findTable(engine, nameOrArn)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

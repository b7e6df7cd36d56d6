import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { type Parameters, takeParameters } from './literals.js'
import { type PreparedSelect, prepareSelect } from './select.js'
import { parseStatement } from './statement-parser.js'
import type { Target } from './syntax.js'
import { type PreparedWrite, prepareWrite } from './write.js'

/** A statement as a request gives it, ready to be run. */
export type Prepared =
  | { readonly kind: 'read'; readonly select: PreparedSelect; readonly parameters: Parameters }
  | { readonly kind: 'write'; readonly write: PreparedWrite; readonly parameters: Parameters }

interface Given {
  readonly Statement: string
  readonly Parameters?: readonly AttributeValue[] | undefined
}

/** Parameters are looked at first, even where the statement does not use them; then the statement is read. */
export function prepare(engine: Engine, given: Given): Prepared {
  return prepareWith(engine, given, takeParameters(given.Parameters))
}

/** The same where the parameters have been taken already, and for reads of indexes that may be refused altogether. */
export function prepareWith(
  engine: Engine,
  { Statement: text }: Given,
  parameters: Parameters,
  checkIndex: (engine: Engine, target: Target) => void = refuseSeveralParts,
): Prepared {
  const { statement, parameters: places } = parseStatement(text)
  if (places > parameters.length) throw validation("Number of parameters in request and statement don't match.")
  if (statement.type !== 'select') return { kind: 'write', write: prepareWrite(statement, parameters), parameters }
  checkIndex(engine, statement.target)
  return { kind: 'read', select: prepareSelect(statement, parameters), parameters }
}

/** An index whose key has several attributes in a part is not read, whatever else there is to say of the statement. */
function refuseSeveralParts(engine: Engine, { names: [nameOrArn = '', indexName] }: Target): void {
  if (indexName === undefined) return
  const keys = knownTable(engine, nameOrArn)?.indexes.find(({ name }) => name === indexName)?.keys
  if (keys && (keys.partition.length > 1 || keys.sort.length > 1))
    throw validation(
      'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    )
}

/** A table that is not there is told of in its turn. */
export function knownTable(engine: Engine, nameOrArn: string): Table | undefined {
  try {
    return findTable(engine, nameOrArn)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

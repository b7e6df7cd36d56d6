import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import { type Parameters, takeParameters } from './literals.js'
import { type PreparedSelect, prepareSelect } from './select.js'
import { parseStatement } from './statement-parser.js'
import type { Statement } from './syntax.js'
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
export function prepare(given: Given): Prepared {
  return prepareWith(given, takeParameters(given.Parameters))
}

/** The same where the parameters have been taken already. */
export function prepareWith({ Statement: text }: Given, parameters: Parameters): Prepared {
  const { statement, parameters: places } = parseStatement(text)
  if (places > parameters.length) throw validation("Number of parameters in request and statement don't match.")
  return prepared(statement, parameters)
}

function prepared(statement: Statement, parameters: Parameters): Prepared {
  if (statement.type === 'select') return { kind: 'read', select: prepareSelect(statement, parameters), parameters }
  return { kind: 'write', write: prepareWrite(statement, parameters), parameters }
}

import { validationError } from '../../errors.js'
import { malformedStatementError, unsupportedStatementError } from '../statement-errors.js'
import { ExpressionParser } from './expression-parser.js'
import type {
  DeleteStatement,
  InsertStatement,
  OrderTerm,
  PartiqlChange,
  PartiqlExpression,
  PartiqlStatement,
  PartiqlTarget,
  ProjectionTerm,
  ReturningClause,
  SelectStatement,
  UpdateStatement,
} from './syntax.js'
import { TokenCursor } from './token-cursor.js'

export interface ParsedStatement {
  readonly statement: PartiqlStatement
  /** The number of parameter placeholders. */
  readonly parameterCount: number
}

/** Parses a statement, or throws if the text is invalid. */
export function parseStatement(text: string): ParsedStatement {
  const parser = new StatementParser(new TokenCursor(text))
  return parser.parse()
}

const ONLY_TRANSACTIONS = 'EXISTS can only be used in ExecuteTransaction write requests.'

class StatementParser {
  private readonly expressions: ExpressionParser

  constructor(private readonly cursor: TokenCursor) {
    this.expressions = new ExpressionParser(cursor, keyword => this.parseStatement(keyword))
  }

  parse(): ParsedStatement {
    const read = this.expressions.parseExpression()
    this.cursor.expectEnd()
    return { statement: toStatement(read), parameterCount: this.expressions.parameterCount }
  }

  private parseStatement(keyword: string): PartiqlStatement | undefined {
    switch (keyword) {
      case 'SELECT':
        return this.parseSelect()
      case 'INSERT':
        return this.cursor.followingToken.text === 'INTO' ? this.parseInsert() : undefined
      case 'UPDATE':
        return this.parseUpdate()
      case 'DELETE':
        return this.parseDelete()
      case 'FROM':
        return this.parseUpdateFromFirst()
      default:
        return undefined
    }
  }

  private parseSelect(): SelectStatement {
    this.cursor.next()
    let unsupportedError: Error | undefined
    if (this.cursor.take('DISTINCT')) unsupportedError = validationError('Unsupported token in expression: DISTINCT')
    if (this.cursor.take('VALUE'))
      unsupportedError = validationError("Select projection doesn't support value or pivot keywords")
    const projection = this.parseProjection()
    this.cursor.expect('FROM', 'FROM after SELECT list')
    const { target, unsupported: source } = this.parseSource()
    const where = this.parseWhere()
    unsupportedError ??= source ?? this.findUnsupportedClause()
    const order = this.parseOrderBy()
    unsupportedError ??= this.findUnsupportedClause()
    return { type: 'select', projection, target, where, order, unsupportedError }
  }

  private parseProjection(): ProjectionTerm[] | undefined {
    if (this.cursor.take('*')) return undefined
    const terms: ProjectionTerm[] = []
    do {
      terms.push({ term: this.expressions.parseExpression(), aliased: this.parseAlias() })
    } while (this.cursor.take(','))
    return terms
  }

  private parseAlias(): boolean {
    const aliased = this.cursor.take('AS') || this.cursor.token.kind === 'name'
    if (!aliased) return this.parsePositionAlias()
    if (this.cursor.token.kind !== 'name') throw malformedStatementError('Expected identifier for alias')
    this.cursor.next()
    this.parsePositionAlias()
    return true
  }

  /** Parses `AT name`, which names the position of an element. */
  private parsePositionAlias(): boolean {
    if (!this.cursor.take('AT')) return false
    if (this.cursor.token.kind !== 'name') throw malformedStatementError('Expected identifier for AT-name')
    this.cursor.next()
    return true
  }

  /** Parses the source of a SELECT. The grammar allows any expressions and joins. */
  private parseSource(): { target: PartiqlTarget; unsupported: Error | undefined } {
    const from = this.expressions.parseExpression()
    const target = { names: tableNamesOf(from), aliased: this.parseAlias() }
    let joined = false
    while (this.cursor.take(',') || this.parseJoin()) {
      joined = true
      this.expressions.parseExpression()
      this.parseAlias()
      if (this.cursor.take('ON')) this.expressions.parseExpression()
    }
    if (joined)
      return { target, unsupported: validationError('Only select from a single table or index is supported.') }
    return { target, unsupported: target.names.length === 0 ? validationError('Unexpected from source') : undefined }
  }

  private parseJoin(): boolean {
    const begins = ['INNER', 'LEFT', 'RIGHT', 'OUTER', 'FULL', 'CROSS'].some(word => this.cursor.take(word))
    if (begins) this.cursor.take('OUTER')
    return this.cursor.take('JOIN')
  }

  private parseWhere(): PartiqlExpression | undefined {
    return this.cursor.take('WHERE') ? this.expressions.parseExpression() : undefined
  }

  private findUnsupportedClause(): Error | undefined {
    if (this.cursor.take('GROUP')) {
      this.cursor.expect('BY', 'BY keyword')
      this.expressions.parseExpression()
      return validationError('Unsupported clause: GROUP BY')
    }
    const clause = ['HAVING', 'LIMIT'].find(word => this.cursor.take(word))
    return clause === undefined
      ? undefined
      : unsupportedStatementError(`Unsupported clause: ${clause}`, this.expressions.parseExpression().at)
  }

  private parseOrderBy(): OrderTerm[] {
    const terms: OrderTerm[] = []
    if (!this.cursor.take('ORDER')) return terms
    this.cursor.expect('BY', 'BY keyword')
    do {
      const term = this.expressions.parseExpression()
      const isDescending = this.cursor.take('DESC')
      if (!isDescending) this.cursor.take('ASC')
      this.skipNulls()
      terms.push({ term, isDescending })
    } while (this.cursor.take(','))
    return terms
  }

  /** Skips NULLS FIRST or NULLS LAST, which have no effect because no key is null. */
  private skipNulls(): void {
    const { token, followingToken } = this.cursor
    if (token.kind !== 'name' || token.text.toUpperCase() !== 'NULLS') return
    if (followingToken.text !== 'FIRST' && followingToken.text !== 'LAST') return
    this.cursor.next()
    this.cursor.next()
  }

  /** Parses the table of a write. */
  private parseTarget(): PartiqlTarget {
    const path = this.expressions.parseSimplePath()
    return { names: tableNamesOf(path), aliased: this.parseAlias() }
  }

  private parseInsert(): InsertStatement {
    this.cursor.next()
    this.cursor.next()
    const path = this.expressions.parseSimplePath()
    const target = { names: tableNamesOf(path), aliased: false }
    if (!this.cursor.take('VALUE')) {
      this.cursor.take('VALUES')
      this.expressions.parseExpression()
      this.cursor.expectEnd()
      throw validationError('Unsupported operation: InsertOp')
    }
    return { type: 'insert', target, item: this.expressions.parseExpression(), returning: this.parseReturning() }
  }

  private parseUpdate(): UpdateStatement {
    this.cursor.next()
    const target = this.parseTarget()
    const changes = this.parseChanges()
    return { type: 'update', target, changes, where: this.parseWhere(), returning: this.parseReturning() }
  }

  /** Parses an update in the other order: `FROM table WHERE … SET …`. */
  private parseUpdateFromFirst(): UpdateStatement {
    this.cursor.next()
    const { target, unsupported } = this.parseSource()
    const where = this.parseWhere()
    const changes = this.parseChanges()
    if (unsupported) throw unsupported
    return { type: 'update', target, changes, where, returning: this.parseReturning() }
  }

  private parseChanges(): PartiqlChange[] {
    const changes: PartiqlChange[] = []
    for (;;) {
      if (this.cursor.take('SET')) {
        do changes.push(this.parseAssignment())
        while (this.cursor.take(','))
      } else if (this.cursor.take('REMOVE')) changes.push({ type: 'remove', path: this.expressions.parseSimplePath() })
      else if (changes.length > 0) return changes
      else throw malformedStatementError('Expected data manipulation')
    }
  }

  private parseAssignment(): PartiqlChange {
    const path = this.expressions.parseSimplePath()
    this.cursor.expect('=', "'='")
    return { type: 'set', path, value: this.expressions.parseExpression() }
  }

  private parseDelete(): DeleteStatement {
    this.cursor.next()
    this.cursor.expect('FROM', 'FROM after DELETE')
    const target = this.parseTarget()
    return { type: 'delete', target, where: this.parseWhere(), returning: this.parseReturning() }
  }

  private parseReturning(): ReturningClause | undefined {
    if (!this.cursor.take('RETURNING')) return undefined
    const extent = ['ALL', 'MODIFIED'].find(word => this.cursor.take(word))
    const age = extent && ['OLD', 'NEW'].find(word => this.cursor.take(word))
    if (!age) throw malformedStatementError('Expected ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause')
    if (this.cursor.atEnd) throw malformedStatementError('Unexpected term')
    if (!this.cursor.take('*'))
      throw validationError("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")
    if (this.cursor.is(','))
      throw validationError('Invalid syntax with multiple returning elements in RETURNING clause')
    return `${extent} ${age}` as ReturningClause
  }
}

/** Returns the names of a table and its index, or an empty list if the expression is not a path of names. */
function tableNamesOf(source: PartiqlExpression): string[] {
  if (source.kind !== 'path') return []
  const steps = source.steps.map(step => ('name' in step ? step.name : undefined))
  return steps.includes(undefined) ? [] : [source.root, ...(steps as string[])]
}

/** The service's names for expressions that are not statements. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'Lit',
  number: 'Lit',
  boolean: 'Lit',
  ion: 'Lit',
  null: 'Lit',
  missing: 'Missing',
  list: 'List',
  bag: 'Bag',
  struct: 'Struct',
  parameter: 'Parameter',
  is: 'IsType',
}

function toStatement(read: PartiqlExpression): PartiqlStatement {
  if (read.kind === 'statement') return read.statement
  if (read.kind === 'call' && read.name === 'exists' && read.operands.length === 1) {
    const [operand] = read.operands
    if (operand!.kind === 'statement' && operand!.statement.type === 'select')
      return { type: 'exists', select: operand!.statement }
  }
  if (read.kind === 'path') throw validationError(`Unsupported operation: ${read.steps.length > 0 ? 'Path' : 'Id'}`)
  const kind = KINDS[read.kind]
  throw validationError(kind ? `Unsupported operation: ${kind}` : ONLY_TRANSACTIONS)
}

import { validation } from '../errors.js'
import { Cursor } from './cursor.js'
import { ExpressionParser } from './expression-parser.js'
import { malformed, refused } from './faults.js'
import type {
  Change,
  DeleteStatement,
  Expression,
  InsertStatement,
  OrderTerm,
  ProjectionTerm,
  Returning,
  SelectStatement,
  Statement,
  Target,
  UpdateStatement,
} from './syntax.js'

export interface ParsedStatement {
  readonly statement: Statement
  /** How many parameters it has places for. */
  readonly parameters: number
}

/** Reads a statement, or says why it is none. */
export function parseStatement(text: string): ParsedStatement {
  const parser = new StatementParser(new Cursor(text))
  return parser.whole()
}

const ONLY_TRANSACTIONS = 'EXISTS can only be used in ExecuteTransaction write requests.'

class StatementParser {
  private readonly expressions: ExpressionParser

  constructor(private readonly cursor: Cursor) {
    this.expressions = new ExpressionParser(cursor, keyword => this.statement(keyword))
  }

  whole(): ParsedStatement {
    const read = this.expressions.expression()
    this.cursor.expectEnd()
    return { statement: statementOf(read), parameters: this.expressions.parameterCount }
  }

  private statement(keyword: string): Statement | undefined {
    switch (keyword) {
      case 'SELECT':
        return this.select()
      case 'INSERT':
        return this.cursor.following.text === 'INTO' ? this.insert() : undefined
      case 'UPDATE':
        return this.update()
      case 'DELETE':
        return this.remove()
      case 'FROM':
        return this.fromFirst()
      default:
        return undefined
    }
  }

  private select(): SelectStatement {
    this.cursor.next()
    let unsupported: Error | undefined
    if (this.cursor.take('DISTINCT')) unsupported = validation('Unsupported token in expression: DISTINCT')
    if (this.cursor.take('VALUE')) unsupported = validation("Select projection doesn't support value or pivot keywords")
    const projection = this.projection()
    this.cursor.expect('FROM', 'FROM after SELECT list')
    const { target, unsupported: source } = this.source()
    const where = this.where()
    unsupported ??= source ?? this.unsupportedClause()
    const order = this.order()
    unsupported ??= this.unsupportedClause()
    return { type: 'select', projection, target, where, order, unsupported }
  }

  private projection(): ProjectionTerm[] | undefined {
    if (this.cursor.take('*')) return undefined
    const terms: ProjectionTerm[] = []
    do {
      terms.push({ term: this.expressions.expression(), aliased: this.alias() })
    } while (this.cursor.take(','))
    return terms
  }

  private alias(): boolean {
    const aliased = this.cursor.take('AS') || this.cursor.token.kind === 'name'
    if (!aliased) return this.position()
    if (this.cursor.token.kind !== 'name') throw malformed('Expected identifier for alias')
    this.cursor.next()
    this.position()
    return true
  }

  /** `AT name`, which names the position of an element. */
  private position(): boolean {
    if (!this.cursor.take('AT')) return false
    if (this.cursor.token.kind !== 'name') throw malformed('Expected identifier for AT-name')
    this.cursor.next()
    return true
  }

  /** What a SELECT reads from: by the grammar any expressions, joined in any way. */
  private source(): { target: Target; unsupported: Error | undefined } {
    const from = this.expressions.expression()
    const target = { names: namesOf(from), aliased: this.alias() }
    let joined = false
    while (this.cursor.take(',') || this.join()) {
      joined = true
      this.expressions.expression()
      this.alias()
      if (this.cursor.take('ON')) this.expressions.expression()
    }
    if (joined) return { target, unsupported: validation('Only select from a single table or index is supported.') }
    return { target, unsupported: target.names.length === 0 ? validation('Unexpected from source') : undefined }
  }

  private join(): boolean {
    const begins = ['INNER', 'LEFT', 'RIGHT', 'OUTER', 'FULL', 'CROSS'].some(word => this.cursor.take(word))
    if (begins) this.cursor.take('OUTER')
    return this.cursor.take('JOIN')
  }

  private where(): Expression | undefined {
    return this.cursor.take('WHERE') ? this.expressions.expression() : undefined
  }

  private unsupportedClause(): Error | undefined {
    if (this.cursor.take('GROUP')) {
      this.cursor.expect('BY', 'BY keyword')
      this.expressions.expression()
      return validation('Unsupported clause: GROUP BY')
    }
    const clause = ['HAVING', 'LIMIT'].find(word => this.cursor.take(word))
    return clause === undefined ? undefined : refused(`Unsupported clause: ${clause}`, this.expressions.expression().at)
  }

  private order(): OrderTerm[] {
    const terms: OrderTerm[] = []
    if (!this.cursor.take('ORDER')) return terms
    this.cursor.expect('BY', 'BY keyword')
    do {
      const term = this.expressions.expression()
      const descending = this.cursor.take('DESC')
      if (!descending) this.cursor.take('ASC')
      this.skipNulls()
      terms.push({ term, descending })
    } while (this.cursor.take(','))
    return terms
  }

  /** Where nulls are to come. No key is one. */
  private skipNulls(): void {
    const { token, following } = this.cursor
    if (token.kind !== 'name' || token.text.toUpperCase() !== 'NULLS') return
    if (following.text !== 'FIRST' && following.text !== 'LAST') return
    this.cursor.next()
    this.cursor.next()
  }

  /** A table, as a statement that writes names it. */
  private target(): Target {
    const path = this.expressions.simplePath()
    return { names: namesOf(path), aliased: this.alias() }
  }

  private insert(): InsertStatement {
    this.cursor.next()
    this.cursor.next()
    const path = this.expressions.simplePath()
    const target = { names: namesOf(path), aliased: false }
    if (!this.cursor.take('VALUE')) {
      this.cursor.take('VALUES')
      this.expressions.expression()
      this.cursor.expectEnd()
      throw validation('Unsupported operation: InsertOp')
    }
    return { type: 'insert', target, item: this.expressions.expression(), returning: this.returning() }
  }

  private update(): UpdateStatement {
    this.cursor.next()
    const target = this.target()
    const changes = this.changes()
    return { type: 'update', target, changes, where: this.where(), returning: this.returning() }
  }

  /** The same in the other order: `FROM table WHERE … SET …`. */
  private fromFirst(): UpdateStatement {
    this.cursor.next()
    const { target, unsupported } = this.source()
    const where = this.where()
    const changes = this.changes()
    if (unsupported) throw unsupported
    return { type: 'update', target, changes, where, returning: this.returning() }
  }

  private changes(): Change[] {
    const changes: Change[] = []
    for (;;) {
      if (this.cursor.take('SET')) {
        do changes.push(this.assignment())
        while (this.cursor.take(','))
      } else if (this.cursor.take('REMOVE')) changes.push({ type: 'remove', path: this.expressions.simplePath() })
      else if (changes.length > 0) return changes
      else throw malformed('Expected data manipulation')
    }
  }

  private assignment(): Change {
    const path = this.expressions.simplePath()
    this.cursor.expect('=', "'='")
    return { type: 'set', path, value: this.expressions.expression() }
  }

  private remove(): DeleteStatement {
    this.cursor.next()
    this.cursor.expect('FROM', 'FROM after DELETE')
    const target = this.target()
    return { type: 'delete', target, where: this.where(), returning: this.returning() }
  }

  private returning(): Returning | undefined {
    if (!this.cursor.take('RETURNING')) return undefined
    const extent = ['ALL', 'MODIFIED'].find(word => this.cursor.take(word))
    const age = extent && ['OLD', 'NEW'].find(word => this.cursor.take(word))
    if (!age) throw malformed('Expected ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause')
    if (this.cursor.atEnd) throw malformed('Unexpected term')
    if (!this.cursor.take('*'))
      throw validation("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")
    if (this.cursor.is(',')) throw validation('Invalid syntax with multiple returning elements in RETURNING clause')
    return `${extent} ${age}` as Returning
  }
}

/** The names of a table and its index; none where it is no path of names. */
function namesOf(source: Expression): string[] {
  if (source.kind !== 'path') return []
  const steps = source.steps.map(step => ('name' in step ? step.name : undefined))
  return steps.includes(undefined) ? [] : [source.root, ...(steps as string[])]
}

/** What the service calls expressions that are no statements. */
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

function statementOf(read: Expression): Statement {
  if (read.kind === 'statement') return read.statement
  if (read.kind === 'call' && read.name === 'exists' && read.operands.length === 1) {
    const [operand] = read.operands
    if (operand!.kind === 'statement' && operand!.statement.type === 'select')
      return { type: 'exists', select: operand!.statement }
  }
  if (read.kind === 'path') throw validation(`Unsupported operation: ${read.steps.length > 0 ? 'Path' : 'Id'}`)
  const kind = KINDS[read.kind]
  throw validation(kind ? `Unsupported operation: ${kind}` : ONLY_TRANSACTIONS)
}

import type { TokenPosition } from '../statement-errors.js'

/** The syntax of a statement as written. Every part has its position. */
export type PartiqlExpression =
  | PartiqlLiteral
  | PartiqlPath
  | { readonly kind: 'parameter'; readonly index: number; readonly at: TokenPosition }
  | { readonly kind: 'list' | 'bag'; readonly elements: readonly PartiqlExpression[]; readonly at: TokenPosition }
  | { readonly kind: 'struct'; readonly members: readonly PartiqlMember[]; readonly at: TokenPosition }
  | PartiqlCall
  | {
      readonly kind: 'sign'
      readonly operator: '+' | '-'
      readonly operand: PartiqlExpression
      readonly at: TokenPosition
    }
  | { readonly kind: 'not'; readonly operand: PartiqlExpression; readonly at: TokenPosition }
  | PartiqlOperation
  | { readonly kind: 'is'; readonly operand: PartiqlExpression; readonly type: string; readonly at: TokenPosition }
  | { readonly kind: 'statement'; readonly statement: PartiqlStatement; readonly at: TokenPosition }
  /** Syntax that the grammar contains and the service does not execute. */
  | { readonly kind: 'other'; readonly name: string; readonly at: TokenPosition }

export type PartiqlLiteral =
  | { readonly kind: 'string'; readonly text: string; readonly at: TokenPosition }
  | { readonly kind: 'number'; readonly text: string; readonly at: TokenPosition }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: TokenPosition }
  | { readonly kind: 'null' | 'missing'; readonly at: TokenPosition }
  | { readonly kind: 'ion'; readonly text: string; readonly at: TokenPosition }

export interface PartiqlMember {
  readonly key: PartiqlExpression
  readonly value: PartiqlExpression
}

export type PartiqlPathStep =
  | { readonly name: string; readonly at: TokenPosition }
  | { readonly index: PartiqlExpression; readonly at: TokenPosition }
  | { readonly every: 'member' | 'element'; readonly at: TokenPosition }

export interface PartiqlPath {
  readonly kind: 'path'
  readonly root: string
  readonly steps: readonly PartiqlPathStep[]
  readonly at: TokenPosition
}

export interface PartiqlCall {
  readonly kind: 'call'
  /** The name in lower case, as the service's messages show it. */
  readonly name: string
  readonly operands: readonly PartiqlExpression[]
  readonly at: TokenPosition
}

/** An operation. BETWEEN has three operands; the second operand of IN is a list. */
export interface PartiqlOperation {
  readonly kind: 'operation'
  readonly operator: string
  readonly operands: readonly PartiqlExpression[]
  readonly at: TokenPosition
}

/** What a statement reads or writes: a table, or a table and its index. */
export interface PartiqlTarget {
  readonly names: readonly string[]
  readonly aliased: boolean
}

export interface OrderTerm {
  readonly term: PartiqlExpression
  readonly isDescending: boolean
}

export interface SelectStatement {
  readonly type: 'select'
  /** The projected terms; undefined for all attributes. */
  readonly projection: readonly ProjectionTerm[] | undefined
  readonly target: PartiqlTarget
  readonly where: PartiqlExpression | undefined
  readonly order: readonly OrderTerm[]
  /** The error for the first clause that the service does not support. */
  readonly unsupportedError: Error | undefined
}

export interface ProjectionTerm {
  readonly term: PartiqlExpression
  readonly aliased: boolean
}

/** The requested result of a write: `ALL OLD`, `MODIFIED NEW` and so on. */
export type ReturningClause = `${'ALL' | 'MODIFIED'} ${'OLD' | 'NEW'}`

export interface InsertStatement {
  readonly type: 'insert'
  readonly target: PartiqlTarget
  readonly item: PartiqlExpression
  readonly returning: ReturningClause | undefined
}

export type PartiqlChange =
  | { readonly type: 'set'; readonly path: PartiqlPath; readonly value: PartiqlExpression }
  | { readonly type: 'remove'; readonly path: PartiqlPath }

export interface UpdateStatement {
  readonly type: 'update'
  readonly target: PartiqlTarget
  readonly changes: readonly PartiqlChange[]
  readonly where: PartiqlExpression | undefined
  readonly returning: ReturningClause | undefined
}

export interface DeleteStatement {
  readonly type: 'delete'
  readonly target: PartiqlTarget
  readonly where: PartiqlExpression | undefined
  readonly returning: ReturningClause | undefined
}

/** A condition on an item that the transaction does not write. */
export interface ExistsStatement {
  readonly type: 'exists'
  readonly select: SelectStatement
}

export type PartiqlStatement = SelectStatement | InsertStatement | UpdateStatement | DeleteStatement | ExistsStatement

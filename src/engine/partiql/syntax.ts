import type { Position } from './faults.js'

/** What a statement says, as it was written. Every part knows where it stands. */
export type Expression =
  | Literal
  | PathExpression
  | { readonly kind: 'parameter'; readonly index: number; readonly at: Position }
  | { readonly kind: 'list' | 'bag'; readonly elements: readonly Expression[]; readonly at: Position }
  | { readonly kind: 'struct'; readonly members: readonly Member[]; readonly at: Position }
  | CallExpression
  | { readonly kind: 'sign'; readonly operator: '+' | '-'; readonly operand: Expression; readonly at: Position }
  | { readonly kind: 'not'; readonly operand: Expression; readonly at: Position }
  | OperationExpression
  | { readonly kind: 'is'; readonly operand: Expression; readonly type: string; readonly at: Position }
  | { readonly kind: 'statement'; readonly statement: Statement; readonly at: Position }
  /** What the grammar has and the service does not run. */
  | { readonly kind: 'other'; readonly name: string; readonly at: Position }

export type Literal =
  | { readonly kind: 'string'; readonly text: string; readonly at: Position }
  | { readonly kind: 'number'; readonly text: string; readonly at: Position }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Position }
  | { readonly kind: 'null' | 'missing'; readonly at: Position }
  | { readonly kind: 'ion'; readonly text: string; readonly at: Position }

export interface Member {
  readonly key: Expression
  readonly value: Expression
}

export type Step =
  | { readonly name: string; readonly at: Position }
  | { readonly index: Expression; readonly at: Position }
  | { readonly every: 'member' | 'element'; readonly at: Position }

export interface PathExpression {
  readonly kind: 'path'
  readonly root: string
  readonly steps: readonly Step[]
  readonly at: Position
}

export interface CallExpression {
  readonly kind: 'call'
  /** In small letters, as the service repeats it. */
  readonly name: string
  readonly operands: readonly Expression[]
  readonly at: Position
}

/** BETWEEN has three operands; IN has a list for its second. */
export interface OperationExpression {
  readonly kind: 'operation'
  readonly operator: string
  readonly operands: readonly Expression[]
  readonly at: Position
}

/** What a statement reads from or writes to: a table, or a table and its index. */
export interface Target {
  readonly names: readonly string[]
  readonly aliased: boolean
}

export interface OrderTerm {
  readonly term: Expression
  readonly descending: boolean
}

export interface SelectStatement {
  readonly type: 'select'
  /** Nothing for all. */
  readonly projection: readonly ProjectionTerm[] | undefined
  readonly target: Target
  readonly where: Expression | undefined
  readonly order: readonly OrderTerm[]
  /** The first thing in it that the service does not run, in its words. */
  readonly unsupported: Error | undefined
}

export interface ProjectionTerm {
  readonly term: Expression
  readonly aliased: boolean
}

/** What a write answers with: `ALL OLD`, `MODIFIED NEW` and so on. */
export type Returning = `${'ALL' | 'MODIFIED'} ${'OLD' | 'NEW'}`

export interface InsertStatement {
  readonly type: 'insert'
  readonly target: Target
  readonly item: Expression
  readonly returning: Returning | undefined
}

export type Change =
  | { readonly type: 'set'; readonly path: PathExpression; readonly value: Expression }
  | { readonly type: 'remove'; readonly path: PathExpression }

export interface UpdateStatement {
  readonly type: 'update'
  readonly target: Target
  readonly changes: readonly Change[]
  readonly where: Expression | undefined
  readonly returning: Returning | undefined
}

export interface DeleteStatement {
  readonly type: 'delete'
  readonly target: Target
  readonly where: Expression | undefined
  readonly returning: Returning | undefined
}

/** A condition on an item that a transaction does not write. */
export interface ExistsStatement {
  readonly type: 'exists'
  readonly select: SelectStatement
}

export type Statement = SelectStatement | InsertStatement | UpdateStatement | DeleteStatement | ExistsStatement

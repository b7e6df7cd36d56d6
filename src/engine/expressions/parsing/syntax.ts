/** A step of a document path: the name of an attribute or map member, or an index of a list. */
export type PathElement = string | number
export type DocumentPath = readonly PathElement[]

export class PathNode {
  readonly type = 'path'
  /** The elements as written; an alias is kept as `#alias`. */
  readonly elements: PathElement[] = []
  hasAliases = false
  /** The error of the first invalid element: a reserved word, or an index that is too large. */
  problem: string | undefined

  constructor(readonly slot: number) {}
}

export interface ValueNode {
  readonly type: 'value'
  readonly name: string
  readonly slot: number
}

export interface CallNode {
  readonly type: 'call'
  readonly operator: string
  readonly operands: readonly OperandNode[]
}

export type OperandNode = PathNode | ValueNode | CallNode

export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | '+' | '-'

/** An operator with its operands in the order of the text. BETWEEN and IN have the tested operand first. */
export interface OperationNode {
  readonly type: 'operation'
  readonly operator: Operator
  readonly operands: readonly OperandNode[]
}

interface CombinedNode<Type> {
  readonly type: Type
  readonly parts: readonly ConditionNode[]
}

/** One or more consecutive NOTs. */
interface NegationNode {
  readonly type: 'NOT'
  readonly count: number
  readonly part: ConditionNode
}

export type ConditionNode = CombinedNode<'AND'> | CombinedNode<'OR'> | NegationNode | OperationNode | CallNode

/**
 * The paths, values and aliases that an expression mentions. Each occurrence of a path and each distinct value has a
 * slot, which every request fills.
 */
export class Mentions {
  readonly paths: PathNode[] = []
  readonly values: string[] = []
  readonly aliases: string[] = []
  private readonly valueNodes = new Map<string, ValueNode>()
  private cachedPaths: readonly DocumentPath[] | undefined

  addPath(): PathNode {
    const node = new PathNode(this.paths.length)
    this.paths.push(node)
    return node
  }

  /** The paths as written, which are final if there are no aliases. Only valid after parsing. */
  get writtenPaths(): readonly DocumentPath[] {
    this.cachedPaths ??= this.paths.map(path => path.elements)
    return this.cachedPaths
  }

  addAlias(alias: string): void {
    if (!this.aliases.includes(alias)) this.aliases.push(alias)
  }

  addValue(name: string): ValueNode {
    let node = this.valueNodes.get(name)
    if (node === undefined) {
      node = { type: 'value', name, slot: this.values.length }
      this.valueNodes.set(name, node)
      this.values.push(name)
    }
    return node
  }
}

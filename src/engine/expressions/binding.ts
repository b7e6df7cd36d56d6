import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { EXPRESSION_OPERATORS, NESTING_LEVELS } from '../../dynamodb/limits.js'
import { fault, type Setting, tooManyOperators } from './faults.js'
import type { Placeholders } from './placeholders.js'
import type { Mentions, Path, PathNode, ValueNode } from './syntax.js'

/** An expression's slots, filled for one request. */
export interface Slots {
  readonly paths: readonly Path[]
  readonly values: readonly AttributeValue[]
}

/**
 * Fills the slots. What is missing or wrong is not reported here but by the walk over the expression, through `path`,
 * `value` and `countOperator`, so that the first fault in the service's order is the one reported.
 */
export class Binding {
  readonly slots: { readonly paths: readonly (Path | undefined)[]; readonly values: (AttributeValue | undefined)[] }
  private operators = 0

  constructor(
    readonly kind: Setting,
    mentions: Mentions,
    private readonly placeholders: Placeholders,
  ) {
    const { aliases, paths, values } = mentions
    this.slots = {
      paths: aliases.length === 0 ? mentions.writtenPaths : paths.map(path => this.resolve(path)),
      values: values.map(name => placeholders.value(name)),
    }
  }

  /** The slots once the walk has found them all filled. */
  get filled(): Slots {
    return this.slots as Slots
  }

  private resolve(path: PathNode): Path | undefined {
    if (!path.aliased) return path.elements
    const resolved: (string | number)[] = []
    for (const element of path.elements) {
      const isAlias = typeof element === 'string' && element.startsWith('#')
      const name = isAlias ? this.placeholders.name(element) : element
      if (name === undefined) return undefined
      resolved.push(name)
    }
    return resolved
  }

  path(node: PathNode): Path {
    if (node.elements.length > NESTING_LEVELS)
      throw this.fault(`The document path has too many nesting levels; nesting levels: ${node.elements.length}`)
    const path = this.slots.paths[node.slot]
    if (path !== undefined) return path
    const missing = node.elements.find(
      element =>
        typeof element === 'string' && element.startsWith('#') && this.placeholders.name(element) === undefined,
    )
    throw this.fault(
      `An expression attribute name used in the document path is not defined; attribute name: ${missing}`,
    )
  }

  value(node: ValueNode): AttributeValue {
    const value = this.slots.values[node.slot]
    if (value !== undefined) return value
    throw this.fault(`An expression attribute value used in expression is not defined; attribute value: ${node.name}`)
  }

  countOperator(): void {
    if (++this.operators > EXPRESSION_OPERATORS) throw tooManyOperators(this.kind, this.operators)
  }

  fault(detail: string) {
    return fault(this.kind, detail)
  }
}

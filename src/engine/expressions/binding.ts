import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { EXPRESSION_OPERATORS, NESTING_LEVELS } from '../../dynamodb/limits.js'
import { type ExpressionContext, expressionError, tooManyOperatorsError } from './expression-errors.js'
import type { DocumentPath, Mentions, PathNode, ValueNode } from './parsing/syntax.js'
import type { Placeholders } from './placeholders.js'

/** The values of an expression's slots for one request. */
export interface ExpressionSlots {
  readonly paths: readonly DocumentPath[]
  readonly values: readonly AttributeValue[]
}

/**
 * Fills the slots of an expression. Missing or invalid placeholders are reported later, when the check walks the
 * expression through `path`, `value` and `countOperator`, so that the first error in the service's order is reported.
 */
export class ExpressionBinding {
  readonly slots: {
    readonly paths: readonly (DocumentPath | undefined)[]
    readonly values: (AttributeValue | undefined)[]
  }
  private operatorCount = 0

  constructor(
    readonly kind: ExpressionContext,
    mentions: Mentions,
    private readonly placeholders: Placeholders,
  ) {
    const { aliases, paths, values } = mentions
    this.slots = {
      paths: aliases.length === 0 ? mentions.writtenPaths : paths.map(path => this.resolve(path)),
      values: values.map(name => placeholders.value(name)),
    }
  }

  /** The slots. Only valid after the check has found all of them filled. */
  get filled(): ExpressionSlots {
    return this.slots as ExpressionSlots
  }

  private resolve(path: PathNode): DocumentPath | undefined {
    if (!path.hasAliases) return path.elements
    const resolved: (string | number)[] = []
    for (const element of path.elements) {
      const isAlias = typeof element === 'string' && element.startsWith('#')
      const name = isAlias ? this.placeholders.name(element) : element
      if (name === undefined) return undefined
      resolved.push(name)
    }
    return resolved
  }

  path(node: PathNode): DocumentPath {
    if (node.elements.length > NESTING_LEVELS)
      throw this.error(`The document path has too many nesting levels; nesting levels: ${node.elements.length}`)
    const path = this.slots.paths[node.slot]
    if (path !== undefined) return path
    const missing = node.elements.find(
      element =>
        typeof element === 'string' && element.startsWith('#') && this.placeholders.name(element) === undefined,
    )
    throw this.error(
      `An expression attribute name used in the document path is not defined; attribute name: ${missing}`,
    )
  }

  value(node: ValueNode): AttributeValue {
    const value = this.slots.values[node.slot]
    if (value !== undefined) return value
    throw this.error(`An expression attribute value used in expression is not defined; attribute value: ${node.name}`)
  }

  countOperator(): void {
    if (++this.operatorCount > EXPRESSION_OPERATORS) throw tooManyOperatorsError(this.kind, this.operatorCount)
  }

  error(detail: string) {
    return expressionError(this.kind, detail)
  }
}

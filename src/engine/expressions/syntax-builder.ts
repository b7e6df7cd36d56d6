import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { ExpressionSlots } from './binding.js'
import { type DocumentPath, Mentions, type PathNode, type ValueNode } from './parsing/syntax.js'
import { Placeholders } from './placeholders.js'

/** Builds the syntax that a parser would produce, for requests that express the same in another form. */
export class SyntaxBuilder {
  readonly mentions = new Mentions()
  private readonly values = new Map<string, AttributeValue>()

  addPath(path: DocumentPath): PathNode {
    const node = this.mentions.addPath()
    node.elements.push(...path)
    return node
  }

  /** Adds a value that is already canonical and frozen. */
  addValue(value: AttributeValue): ValueNode {
    const name = `:${this.values.size}`
    this.values.set(name, value)
    return this.mentions.addValue(name)
  }

  get placeholders(): Placeholders {
    return new Placeholders(undefined, this.values)
  }

  /** The values of the slots, for syntax that needs no check. */
  get slots(): ExpressionSlots {
    return { paths: this.mentions.writtenPaths, values: [...this.values.values()] }
  }
}

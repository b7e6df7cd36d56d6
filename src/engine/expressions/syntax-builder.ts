import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { ExpressionSlots } from './binding.js'
import { type DocumentPath, Mentions, type PathNode, type ValueNode } from './parsing/syntax.js'
import { Placeholders } from './placeholders.js'

/** Puts together what a parser reads from an expression's text, where a request says the same in another way. */
export class SyntaxBuilder {
  readonly mentions = new Mentions()
  private readonly values = new Map<string, AttributeValue>()

  addPath(path: DocumentPath): PathNode {
    const node = this.mentions.addPath()
    node.elements.push(...path)
    return node
  }

  /** A value that is canonical and frozen already. */
  addValue(value: AttributeValue): ValueNode {
    const name = `:${this.values.size}`
    this.values.set(name, value)
    return this.mentions.addValue(name)
  }

  get placeholders(): Placeholders {
    return new Placeholders(undefined, this.values)
  }

  /** What fills the slots, for forms that need no check. */
  get slots(): ExpressionSlots {
    return { paths: this.mentions.writtenPaths, values: [...this.values.values()] }
  }
}

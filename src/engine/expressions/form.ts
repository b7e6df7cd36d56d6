import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Slots } from './binding.js'
import { Placeholders } from './placeholders.js'
import { Mentions, type Path, type PathNode, type ValueNode } from './syntax.js'

/** Puts together what a parser reads from an expression's text, where a request says the same in another way. */
export class Form {
  readonly mentions = new Mentions()
  private readonly values = new Map<string, AttributeValue>()

  path(path: Path): PathNode {
    const node = this.mentions.path()
    node.elements.push(...path)
    return node
  }

  /** A value that is canonical and frozen already. */
  value(value: AttributeValue): ValueNode {
    const name = `:${this.values.size}`
    this.values.set(name, value)
    return this.mentions.value(name)
  }

  get placeholders(): Placeholders {
    return new Placeholders(undefined, this.values)
  }

  /** What fills the slots, for forms that need no check. */
  get slots(): Slots {
    return { paths: this.mentions.writtenPaths, values: [...this.values.values()] }
  }
}

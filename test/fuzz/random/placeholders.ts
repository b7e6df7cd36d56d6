import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import type { Chance } from './seeded-random.js'
import { badValue, MEMBERS } from './values.js'

const KEY_PART = /^(?:pk|sk|k\d)$/
const NAME = /^[a-zA-Z][a-zA-Z0-9]*$/

/** The names and values of the expressions in one request. */
export class Placeholders {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, AttributeValue> = {}

  constructor(readonly chance: Chance) {}

  /** Returns a name for an expression, directly or as an alias. */
  name(name: string): string {
    if (NAME.test(name) && this.chance.happens(0.8)) return name
    const alias = `#${this.chance.happens(0.9) ? 'n' : 'N_'}${Object.keys(this.names).length}`
    this.names[alias] = name
    return alias
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`
    this.values[placeholder] = this.chance.happens(0.995) ? value : badValue(this.chance)
    return placeholder
  }

  /** Creates a path that begins with this attribute. It rarely continues into a key attribute. */
  path(attribute: string, deep = 0.35): string {
    let path = this.name(attribute)
    const further = KEY_PART.test(attribute) ? deep / 20 : deep
    while (this.chance.happens(further))
      path += this.chance.happens(0.5) ? `.${this.name(this.chance.pick(MEMBERS))}` : `[${this.chance.below(3)}]`
    return path
  }

  /** The members to add to the request. */
  get members(): Record<string, unknown> {
    if (this.chance.happens(0.004)) this.values[':unused'] = { S: 'a' }
    if (this.chance.happens(0.004)) this.names['#unused'] = 'a'
    if (this.chance.happens(0.004)) delete this.values[':v0']
    if (this.chance.happens(0.004)) delete this.names['#n0']
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}

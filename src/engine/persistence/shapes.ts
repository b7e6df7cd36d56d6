import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'

/** Names and types of an item's attributes, in their order, which items of a table share. */
export interface Shape {
  readonly names: readonly string[]
  /** Of each: `S` or `N` for the text of a string or a number, `J` for DynamoDB's JSON of any other value. */
  readonly types: string
  readonly bytes: Buffer
}

/** A shape that has grown to some attributes, and what it is with one more. */
class Growth {
  readonly next = { S: new Map<string, Growth>(), N: new Map<string, Growth>(), J: new Map<string, Growth>() }
  private made: Shape | undefined

  constructor(
    private readonly names: readonly string[],
    private readonly types: string,
  ) {}

  get shape(): Shape {
    this.made ??= { names: this.names, types: this.types, bytes: Buffer.from(textOf(this.names, this.types)) }
    return this.made
  }

  with(name: string, type: 'S' | 'N' | 'J'): Growth {
    const grown = new Growth([...this.names, name], this.types + type)
    this.next[type].set(name, grown)
    return grown
  }
}

/** As many shapes are known at once; where names are data there is no end of them. */
const KNOWN_MAX = 10_000
/** A longer one takes much to be known, and is the shape of few items. What a length of two bytes can tell is more. */
const SHAPE_BYTES_MAX = 2048
/** The type of an attribute, and what stands around its name. */
const MARKS_BYTES = 4

let none = new Growth([], '')
let grown = 0
const read = new Map<string, Shape>()

/** Nothing where it is too long to be told apart from the item. */
export function shapeOf(item: Item): Shape | undefined {
  let growth = none
  let bytesLeast = 0
  for (const name in item) {
    bytesLeast += name.length + MARKS_BYTES
    if (bytesLeast > SHAPE_BYTES_MAX) return undefined
    const type = typeOf(item[name]!)
    growth = growth.next[type].get(name) ?? grow(growth, name, type)
  }
  const { shape } = growth
  return shape.bytes.length <= SHAPE_BYTES_MAX ? shape : undefined
}

/** By its bytes, one character each. */
export function shapeIn(bytes: string): Shape {
  return read.get(bytes) ?? readShape(bytes)
}

function grow(growth: Growth, name: string, type: 'S' | 'N' | 'J'): Growth {
  if (++grown > KNOWN_MAX) {
    none = new Growth([], '')
    grown = 0
  }
  return growth.with(name, type)
}

function typeOf(value: AttributeValue): 'S' | 'N' | 'J' {
  return value.S !== undefined ? 'S' : value.N !== undefined ? 'N' : 'J'
}

function textOf(names: readonly string[], types: string): string {
  return types + JSON.stringify(names)
}

function readShape(bytes: string): Shape {
  const text = Buffer.from(bytes, 'latin1').toString()
  const typesEnd = text.indexOf('[')
  const names = JSON.parse(text.slice(typesEnd)) as string[]
  const shape = { names, types: text.slice(0, typesEnd), bytes: Buffer.from(bytes, 'latin1') }
  if (read.size === KNOWN_MAX) read.clear()
  read.set(bytes, shape)
  return shape
}

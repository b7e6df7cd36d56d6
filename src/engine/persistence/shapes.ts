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
    /** How many bytes it takes at least. */
    readonly bytesLeast: number,
  ) {}

  get shape(): Shape {
    this.made ??= newShape(this.names, this.types)
    return this.made
  }

  with(name: string, type: 'S' | 'N' | 'J'): Growth {
    const bytesLeast = this.bytesLeast + name.length + NAME_OVERHEAD
    const grown = new Growth([...this.names, name], this.types + type, bytesLeast)
    this.next[type].set(name, grown)
    return grown
  }
}

/** As many shapes are known at once; where names are data there is no end of them. */
const KNOWN_MAX = 10_000
/** A longer one is made anew each time: it would take much to know, and so would all that it grew from. */
const KNOWN_BYTES_MAX = 4096
/** A shape's length is told in two bytes. */
const SHAPE_BYTES_MAX = 2 ** 16 - 1
/** Its type, two quotes and a comma. */
const NAME_OVERHEAD = 4

let none = new Growth([], '', 0)
let grown = 0
const read = new Map<string, Shape>()

/** Nothing where it is too long to be told apart from the item. */
export function shapeOf(item: Item): Shape | undefined {
  const shape = knownShape(item) ?? newShape(Object.keys(item), Object.values(item).map(typeOf).join(''))
  return shape.bytes.length <= SHAPE_BYTES_MAX ? shape : undefined
}

function knownShape(item: Item): Shape | undefined {
  let growth = none
  for (const name in item) {
    const type = typeOf(item[name]!)
    growth = growth.next[type].get(name) ?? grow(growth, name, type)
    if (growth.bytesLeast > KNOWN_BYTES_MAX) return undefined
  }
  return growth.shape
}

/** By its bytes, one character each. */
export function shapeIn(bytes: string): Shape {
  return read.get(bytes) ?? readShape(bytes)
}

function grow(growth: Growth, name: string, type: 'S' | 'N' | 'J'): Growth {
  if (++grown > KNOWN_MAX) {
    none = new Growth([], '', 0)
    grown = 0
  }
  return growth.with(name, type)
}

function typeOf(value: AttributeValue): 'S' | 'N' | 'J' {
  return value.S !== undefined ? 'S' : value.N !== undefined ? 'N' : 'J'
}

function newShape(names: readonly string[], types: string): Shape {
  return { names, types, bytes: Buffer.from(types + JSON.stringify(names)) }
}

function readShape(bytes: string): Shape {
  const text = Buffer.from(bytes, 'latin1').toString()
  const typesEnd = text.indexOf('[')
  const names = JSON.parse(text.slice(typesEnd)) as string[]
  const shape = { names, types: text.slice(0, typesEnd), bytes: Buffer.from(bytes, 'latin1') }
  if (bytes.length > KNOWN_BYTES_MAX) return shape
  if (read.size === KNOWN_MAX) read.clear()
  read.set(bytes, shape)
  return shape
}

import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'

/** Names and types of an item's attributes, in their order, which items of a table share. */
export interface AttributeShape {
  readonly names: readonly string[]
  /** Of each: `S` or `N` for the text of a string or a number, `J` for DynamoDB's JSON of any other value. */
  readonly types: string
  readonly bytes: Buffer
}

/** A shape that has grown to some attributes, and what it is with one more. */
class ShapeNode {
  readonly next = { S: new Map<string, ShapeNode>(), N: new Map<string, ShapeNode>(), J: new Map<string, ShapeNode>() }
  private cachedShape: AttributeShape | undefined

  constructor(
    private readonly names: readonly string[],
    private readonly types: string,
  ) {}

  get shape(): AttributeShape {
    this.cachedShape ??= {
      names: this.names,
      types: this.types,
      bytes: Buffer.from(shapeTextOf(this.names, this.types)),
    }
    return this.cachedShape
  }

  addChild(name: string, type: 'S' | 'N' | 'J'): ShapeNode {
    const grown = new ShapeNode([...this.names, name], this.types + type)
    this.next[type].set(name, grown)
    return grown
  }
}

/** As many shapes are known at once; where names are data there is no end of them. */
const CACHED_SHAPES_MAX = 10_000
/** A longer one takes much to be known, and is the shape of few items. What a length of two bytes can tell is more. */
const SHAPE_BYTES_MAX = 2048
/** The type of an attribute, and what stands around its name. */
const MARKS_BYTES = 4

let emptyShape = new ShapeNode([], '')
let nodeCount = 0
const shapesByBytes = new Map<string, AttributeShape>()

/** Nothing where it is too long to be told apart from the item. */
export function attributeShapeOf(item: Item): AttributeShape | undefined {
  let growth = emptyShape
  let bytesLeast = 0
  for (const name in item) {
    bytesLeast += name.length + MARKS_BYTES
    if (bytesLeast > SHAPE_BYTES_MAX) return undefined
    const type = shapeTypeOf(item[name]!)
    growth = growth.next[type].get(name) ?? growShape(growth, name, type)
  }
  const { shape } = growth
  return shape.bytes.length <= SHAPE_BYTES_MAX ? shape : undefined
}

/** By its bytes, one character each. */
export function parseAttributeShape(bytes: string): AttributeShape {
  return shapesByBytes.get(bytes) ?? decodeShape(bytes)
}

function growShape(node: ShapeNode, name: string, type: 'S' | 'N' | 'J'): ShapeNode {
  if (++nodeCount > CACHED_SHAPES_MAX) {
    emptyShape = new ShapeNode([], '')
    nodeCount = 0
  }
  return node.addChild(name, type)
}

function shapeTypeOf(value: AttributeValue): 'S' | 'N' | 'J' {
  return value.S !== undefined ? 'S' : value.N !== undefined ? 'N' : 'J'
}

function shapeTextOf(names: readonly string[], types: string): string {
  return types + JSON.stringify(names)
}

function decodeShape(bytes: string): AttributeShape {
  const text = Buffer.from(bytes, 'latin1').toString()
  const typesEnd = text.indexOf('[')
  const names = JSON.parse(text.slice(typesEnd)) as string[]
  const shape = { names, types: text.slice(0, typesEnd), bytes: Buffer.from(bytes, 'latin1') }
  if (shapesByBytes.size === CACHED_SHAPES_MAX) shapesByBytes.clear()
  shapesByBytes.set(bytes, shape)
  return shape
}

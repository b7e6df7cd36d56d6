import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'

/** The names and types of an item's attributes in their order. Items of a table share shapes. */
export interface AttributeShape {
  readonly names: readonly string[]
  /**
   * One letter for each attribute: `S` or `N` for the text of a string or number, `J` for the DynamoDB JSON of any
   * other value.
   */
  readonly types: string
  readonly bytes: Buffer
}

/** A node of the tree of shapes. Each child has one more attribute. */
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

/** The maximum number of cached shapes. Tables that use data as attribute names have unlimited shapes. */
const CACHED_SHAPES_MAX = 10_000
/** Longer shapes are costly to cache and shared by few items. A length of two bytes could hold more. */
const SHAPE_BYTES_MAX = 2048
/** The type of an attribute, and the characters around its name. */
const MARKS_BYTES = 4

let emptyShape = new ShapeNode([], '')
let nodeCount = 0
const shapesByBytes = new Map<string, AttributeShape>()

/** Returns the shape of an item, or undefined if the shape is too long to be stored separately. */
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

/** Returns the shape with these bytes, which are passed as one character each. */
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

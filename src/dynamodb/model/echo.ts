import { javaMapOrder } from './java-map-order.js'
import {
  ATTRIBUTE_VALUE_MEMBERS,
  type AttributeValueShape,
  type ModelShape,
  type StructureShape,
  textShape,
} from './shapes.js'

/** The limit is ours, not the service's: a repeated attribute value takes twenty times its size. */
const ECHO_CHARACTERS = 1024 * 1024

/** A value as the service repeats it in an error message: Java's toString() format, or JSON. */
export function formatEcho(shape: ModelShape, value: unknown): string {
  const text = shape.kind === 'map' && shape.notation === 'json' ? jsonText(value) : new JavaText().of(shape, value)
  return text.length > ECHO_CHARACTERS ? `${text.slice(0, ECHO_CHARACTERS)}...` : text
}

type LabeledValue = [label: string, shape: ModelShape, value: unknown]

class JavaText {
  private text = ''

  of(shape: ModelShape, value: unknown): string {
    this.write(shape, value)
    return this.text
  }

  private write(shape: ModelShape, value: unknown): void {
    if (value === undefined || value === null) this.text += 'null'
    else if (shape.kind === 'list') this.writeParts('[', listParts(shape.element, value as unknown[]), ']')
    else if (shape.kind === 'map') this.writeParts('{', mapParts(shape.value, value as Record<string, unknown>), '}')
    else if (shape.kind === 'structure' || shape.kind === 'attributeValue')
      this.writeParts(`${nameOf(shape)}(`, memberParts(shape, value as Record<string, unknown>), ')')
    else this.text += scalarText(shape, value)
  }

  private writeParts(open: string, parts: LabeledValue[], close: string): void {
    this.text += open
    for (const [index, [label, shape, value]] of parts.entries()) {
      if (this.text.length > ECHO_CHARACTERS) return
      this.text += index === 0 ? label : `, ${label}`
      this.write(shape, value)
    }
    this.text += close
  }
}

const listParts = (shape: ModelShape, list: unknown[]): LabeledValue[] => list.map(element => ['', shape, element])

const mapParts = (shape: ModelShape, map: Record<string, unknown>): LabeledValue[] =>
  javaMapOrder(Object.keys(map)).map(key => [`${key}=`, shape, map[key]])

function memberParts(shape: StructureShape | AttributeValueShape, values: Record<string, unknown>): LabeledValue[] {
  const members = shape.kind === 'structure' ? shape.members : ATTRIBUTE_VALUE_MEMBERS
  const names = shape.kind === 'structure' ? [...Object.keys(members), ...shape.hidden] : JAVA_ATTRIBUTE_VALUE_FIELDS
  return names.map(name => [
    `${camelCase(name)}=`,
    (members as Record<string, ModelShape>)[name] ?? HIDDEN,
    values[name],
  ])
}

const HIDDEN: ModelShape = textShape()

const nameOf = (shape: StructureShape | AttributeValueShape) =>
  shape.kind === 'structure' ? shape.name : 'AttributeValue'

function scalarText({ kind }: ModelShape, value: unknown): string {
  if (kind === 'integer' || kind === 'long') return String(Math.floor(value as number))
  if (kind === 'double') return doubleText(value as number)
  if (kind !== 'blob') return String(value)
  const { byteLength } = value as Uint8Array
  return `java.nio.HeapByteBuffer[pos=0 lim=${byteLength} cap=${byteLength}]`
}

/** Java prints a decimal point in every double, and an exponent in large ones. */
function doubleText(value: number): string {
  const size = Math.abs(value)
  const isPlain = value === 0 || (size >= 1e-3 && size < 1e7) || !Number.isFinite(value)
  const [digits, exponent] = isPlain ? [String(value)] : value.toExponential().split('e')
  const withPoint = /^-?\d+$/.test(digits!) ? `${digits}.0` : digits!
  return exponent === undefined ? withPoint : `${withPoint}E${Number(exponent)}`
}

/** Includes the attribute types that the service uses internally. */
const JAVA_ATTRIBUTE_VALUE_FIELDS = [
  ...['S', 'N', 'B', 'INT', 'DECIMAL', 'DOUBLE', 'SS', 'NS', 'BS'],
  ...['INTSET', 'DECIMALSET', 'DOUBLESET', 'M', 'L', 'NULL', 'BOOL'],
]

const camelCase = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

/** JSON with the members of every object sorted by name. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, part: unknown) {
    // A Buffer has already converted itself to another object at this point.
    const bytes = this[key]
    if (bytes instanceof Uint8Array) return Buffer.from(bytes).toString('base64')
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

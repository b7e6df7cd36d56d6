import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import {
  type CaseFolding,
  caseFoldingOf,
  isRowBound,
  replaceBoundValues,
  valueOwnerOf,
} from '../layout/items/row-bindings.js'
import { decodeTemplate } from '../layout/keys/encode-template.js'
import type { KeyTemplate } from '../layout/keys/template.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { memoize } from '../layout/memoize.js'
import { TENANT_SLOT } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import { callUserFunction } from '../schema/transformed/user-functions.js'
import type { createCompiledReader } from './compiled-row-reader.js'
import { membersByName, membersOf, type RowMember } from './members.js'
import type { SlotValues } from './plan.js'

export type PlainRow = Readonly<Record<string, unknown>>

/** A row member as the items of a kind store it: in an attribute, or in a key. */
export interface RowField extends RowMember {
  readonly storedName: string
  readonly key: KeyReader | undefined
  /**
   * Precomputed per member because every row needs it: the member's name, whether it is a top-level member, and its
   * decoder.
   */
  readonly name: string
  readonly isTopLevel: boolean
  readonly decode: RowMember['attribute']['decode']
  /** Of an undirected edge: the corresponding field of the other end. */
  oppositeField: RowField | undefined
}

/** Decodes a key. Items of one partition arrive together, so the decoded key is cached until another key arrives. */
export interface KeyReader {
  readonly name: string
  readonly template: KeyTemplate
  lastText: string | undefined
  slotValues: SlotValues
}

interface KindReader {
  readonly fields: readonly RowField[]
  readonly keys: readonly KeyReader[]
  /**
   * Whether the key lacks the ends of an edge, so that only the type mark shows from which end the item was written.
   */
  readonly needsTypeMark: boolean
  /** Fields whose encrypted values are bound to their row. */
  readonly rowBoundFields: readonly RowField[]
  readonly fold: CaseFolding
  /** A faster reader for the common case. */
  readonly compiled: CompiledReader | undefined
}

/** Reads an item as a row. Returns undefined for an unusual item, which the general reader decodes or rejects. */
export type CompiledReader = (item: Item) => PlainRow | undefined

const readerCompilers = new WeakMap<object, typeof createCompiledReader>()

/**
 * Enables compiled readers for the rows of a layout. Embedded stores enable them because decoding dominates there;
 * behind a network the gain is negligible, and the compiler would only add to the bundle.
 */
export function useCompiledReaders(layout: object, create: typeof createCompiledReader): void {
  readerCompilers.set(layout, create)
}

/**
 * A read may return thousands of rows, so everything that is the same for a kind is computed only for the first row.
 */
const readerOf = memoize((kind: Kind, layout: Layout): KindReader => {
  const { names } = layout
  const { type } = kind
  const keys = names.keys
    .map((name): KeyReader => ({ name, template: kind.keys[name]!, lastText: undefined, slotValues: {} }))
    .filter(({ template }) => template.mode === 'encoded')
  const fields = membersOf(type).map((member): RowField => {
    const key = keys.find(({ template }) => template.slots.some(({ name }) => name === member.slot))
    const { segments, slot, attribute } = member
    return {
      ...member,
      storedName: names.attributeOf(type, slot),
      key,
      name: segments[0]!,
      isTopLevel: segments.length === 1,
      decode: attribute.decode,
      oppositeField: undefined,
    }
  })
  const undirected = type.kind === 'edge' && type.undirected
  if (undirected) {
    const half = membersByName(type, type.ends[0].name).length
    for (let i = 0; i < 2 * half; i++) fields[i]!.oppositeField = fields[(i + half) % (2 * half)]
  }
  const needsTypeMark = undirected && kind.keys[names.partition]!.mode === 'raw'
  const rowBoundFields = fields.filter(({ attribute }) => isRowBound(attribute))
  // A value that is bound to its row is verified against the complete row, which needs the general reader.
  const compiled =
    rowBoundFields.length > 0
      ? undefined
      : readerCompilers.get(layout)?.(fields, keys, (key, text) => readKey(kind, key, text))
  return { fields, keys, needsTypeMark, rowBoundFields, fold: caseFoldingOf(layout).fold, compiled }
})

/** Decodes the keys of an item and returns whether its ends must be swapped. */
function readKeys(
  { names }: Layout,
  kind: Kind,
  { keys, needsTypeMark }: KindReader,
  item: Item,
  endsSwapped: boolean,
): boolean {
  for (const key of keys) {
    const text = item[key.name]?.S
    if (text === undefined || text !== key.lastText) readKey(kind, key, text)
  }
  const mark = needsTypeMark ? item[names.type]?.S : undefined
  return endsSwapped !== (mark !== undefined && mark !== kind.typeMark)
}

function readKey({ name: kind, type }: Kind, key: KeyReader, text: string | undefined): void {
  const { name, template } = key
  const slotValues = decodeTemplate(template, text ?? '')
  if (!slotValues)
    throw new GraphError(
      'stored.key',
      `${kind}: the stored ${name} '${text}' does not match the template '${template.source}'; find out which program wrote the item.`,
      { type: type.name, name },
    )
  key.slotValues = slotValues
  key.lastText = text
}

const storedValueIn = ({ key, slot, storedName }: RowField, item: Item) =>
  key ? key.slotValues[slot] : item[storedName]

/** The stored values of an item by slot, from its attributes and its key; `only` restricts them to one member. */
export function valuesOf(layout: Layout, kind: Kind, item: Item, endsSwapped = false, only?: string): SlotValues {
  const reader = readerOf(kind, layout)
  const usesOpposite = readKeys(layout, kind, reader, item, endsSwapped)
  const values: Record<string, AttributeValue> = {}
  const tenant = item[layout.names.attributeOf(kind.type, TENANT_SLOT)]
  if (tenant) values[TENANT_SLOT] = tenant
  for (const { slotValues } of reader.keys) if (slotValues[TENANT_SLOT]) values[TENANT_SLOT] = slotValues[TENANT_SLOT]
  for (const field of reader.fields) {
    if (only && field.segments[0] !== only) continue
    const value = storedValueIn((usesOpposite && field.oppositeField) || field, item)
    if (value) values[field.slot] = value
  }
  return values
}

/** The row of an item of a kind; `only` restricts its members. */
export function rowOf(layout: Layout, kind: Kind, item: Item, endsSwapped = false, only?: readonly string[]): PlainRow {
  return readRow(layout, kind, readerOf(kind, layout), item, endsSwapped, only)
}

function readRow(
  layout: Layout,
  kind: Kind,
  reader: KindReader,
  item: Item,
  endsSwapped: boolean,
  only: readonly string[] | undefined,
): PlainRow {
  const compiledRow = endsSwapped || only || reader.needsTypeMark ? undefined : reader.compiled?.(item)
  if (compiledRow) return compiledRow
  if (reader.rowBoundFields.length > 0) assertBindings(layout, kind, reader, item, only)
  const usesOpposite = readKeys(layout, kind, reader, item, endsSwapped)
  const row: Record<string, unknown> = {}
  const { fields } = reader
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!
    if (only && !only.includes(field.name)) continue
    const value = storedValueIn((usesOpposite && field.oppositeField) || field, item)
    const read = value ? field.decode(value, field.path) : field.attribute.valueIfAbsent?.()
    if (read === undefined) continue
    if (field.isTopLevel) row[field.name] = read
    else setRowMember(row, field.segments, read)
  }
  return row
}

/** Throws when an encrypted value was moved here from another row or attribute. */
function assertBindings(
  layout: Layout,
  kind: Kind,
  { rowBoundFields, fold }: KindReader,
  item: Item,
  only: readonly string[] | undefined,
): void {
  // An undirected edge has the same binding from either end, so the ends are not swapped here.
  const values = valuesOf(layout, kind, item)
  for (const { name, slot, attribute, path } of rowBoundFields) {
    const stored = values[slot]
    if (!stored || (only && !only.includes(name))) continue
    const { name: at, identity } = valueOwnerOf(kind.type, slot, values, fold)
    replaceBoundValues(attribute, stored, at, (binding, each, place) => {
      callUserFunction(() => binding.check(each, { name: place, identity }), 'stored.type', path)
      return each
    })
  }
}

/** Assigns a value to a row member, which may be nested. */
export function setRowMember(row: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    row[name!] ??= {}
    setRowMember(row[name!] as Record<string, unknown>, rest, value)
  } else row[name!] = value
}

/**
 * Whether an item is live. An expired item, which DynamoDB deletes later, and a node that is being deleted are not
 * live.
 */
export function isLive({ names }: Layout, item: Item, nowMs: number | undefined): boolean {
  if (item[names.deletionMark]) return false
  const expires = item[names.expires]?.N
  return expires === undefined || nowMs === undefined || Number(expires) * 1000 > nowMs
}

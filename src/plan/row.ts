import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import { belongingOf, eachBound, type Fold, foldOf, isRowBound } from '../layout/row-bindings.js'
import { TENANT_SLOT } from '../layout/slots.js'
import type { Template } from '../layout/template.js'
import { decode } from '../layout/template-encode.js'
import { GraphError } from '../schema/error.js'
import { attempt } from '../schema/transformed/attempt.js'
import { type Member, membersNamed, membersOf } from './members.js'
import type { Slots } from './plan.js'
import type { compiledReader } from './row-compiled.js'

export type Row = Readonly<Record<string, unknown>>

/** A member as the items of a kind hold it: in an attribute, or told by a key. */
export interface Field extends Member {
  readonly stored: string
  readonly key: KeyReader | undefined
  /** What is asked of each row is at hand: the member's own name, whether it stands there by itself, how it is read. */
  readonly name: string
  readonly single: boolean
  readonly decode: Member['attribute']['decode']
  /** Of an undirected edge: the same of its other end. */
  other: Field | undefined
}

/** Items of one partition come together: what a key tells is kept until another comes. */
export interface KeyReader {
  readonly name: string
  readonly template: Template
  text: string | undefined
  told: Slots
}

interface Reader {
  readonly fields: readonly Field[]
  readonly keys: readonly KeyReader[]
  /** Whether keys that do not tell the ends of an edge may hold it as seen from the other. */
  readonly vague: boolean
  /** Fields whose encrypted values are bound to their row. */
  readonly bound: readonly Field[]
  readonly fold: Fold
  /** What reads them quicker, where that pays. */
  readonly quick: CompiledReader | undefined
}

/** Reads an item as a row, or nothing where it is not as most are: the long way reads it then, or says what is wrong. */
export type CompiledReader = (item: Item) => Row | undefined

let compile: typeof compiledReader | undefined

/** Where rows come from the process itself, reading them takes most of the time. Behind a network it does not show. */
export function compileReaders(by: typeof compiledReader): void {
  compile = by
}

/** Rows come by the thousand: what is the same for all of a kind is worked out once. */
const readerOf = once((kind: Kind, layout: Layout): Reader => {
  const { names } = layout
  const { type } = kind
  const keys = names.keys
    .map((name): KeyReader => ({ name, template: kind.keys[name]!, text: undefined, told: {} }))
    .filter(({ template }) => template.mode === 'encoded')
  const fields = membersOf(type).map((member): Field => {
    const key = keys.find(({ template }) => template.slots.some(({ name }) => name === member.slot))
    const { at, slot, attribute } = member
    return {
      ...member,
      stored: names.of(type, slot),
      key,
      name: at[0]!,
      single: at.length === 1,
      decode: attribute.decode,
      other: undefined,
    }
  })
  const undirected = type.kind === 'edge' && type.undirected
  if (undirected) {
    const half = membersNamed(type, type.ends[0].name).length
    for (let i = 0; i < 2 * half; i++) fields[i]!.other = fields[(i + half) % (2 * half)]
  }
  const vague = undirected && kind.keys[names.partition]!.mode === 'raw'
  const bound = fields.filter(({ attribute }) => isRowBound(attribute))
  // What is bound to a row is checked against the whole of it.
  const quick = bound[0] ? undefined : compile?.(fields, keys, (key, text) => readKey(kind, key, text))
  return { fields, keys, vague, bound, fold: foldOf(layout).fold, quick }
})

/** Reads what the keys of an item tell, and says whether its ends are to be turned. */
function readKeys({ names }: Layout, kind: Kind, { keys, vague }: Reader, item: Item, turned: boolean): boolean {
  for (const key of keys) {
    const text = item[key.name]?.S
    if (text === undefined || text !== key.text) readKey(kind, key, text)
  }
  const mark = vague ? item[names.type]?.S : undefined
  return turned !== (mark !== undefined && mark !== kind.mark)
}

function readKey({ name: kind, type }: Kind, key: KeyReader, text: string | undefined): void {
  const { name, template } = key
  const told = decode(template, text ?? '')
  if (!told)
    throw new GraphError(
      'stored.key',
      `an item of ${kind} has the ${name} '${text}', which is not of "${template.source}"`,
      { type: type.name, name },
    )
  key.told = told
  key.text = text
}

const storedIn = ({ key, slot, stored }: Field, item: Item) => (key ? key.told[slot] : item[stored])

/** The stored values of an item by slot: its attributes, and what its key tells; or only those of one member. */
export function valuesOf(layout: Layout, kind: Kind, item: Item, turned = false, only?: string): Slots {
  const reader = readerOf(kind, layout)
  const turn = readKeys(layout, kind, reader, item, turned)
  const values: Record<string, AttributeValue> = {}
  const tenant = item[layout.names.of(kind.type, TENANT_SLOT)]
  if (tenant) values[TENANT_SLOT] = tenant
  for (const { told } of reader.keys) if (told[TENANT_SLOT]) values[TENANT_SLOT] = told[TENANT_SLOT]
  for (const field of reader.fields) {
    if (only && field.at[0] !== only) continue
    const value = storedIn((turn && field.other) || field, item)
    if (value) values[field.slot] = value
  }
  return values
}

/** The row that an item of a kind is, or only these of its members. */
export function rowOf(layout: Layout, kind: Kind, item: Item, turned = false, only?: readonly string[]): Row {
  return readRow(layout, kind, readerOf(kind, layout), item, turned, only)
}

function readRow(
  layout: Layout,
  kind: Kind,
  reader: Reader,
  item: Item,
  turned: boolean,
  only: readonly string[] | undefined,
): Row {
  const quick = turned || only || reader.vague ? undefined : reader.quick?.(item)
  if (quick) return quick
  if (reader.bound[0]) checkBindings(layout, kind, reader, item, only)
  const turn = readKeys(layout, kind, reader, item, turned)
  const row: Record<string, unknown> = {}
  const { fields } = reader
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!
    if (only && !only.includes(field.name)) continue
    const value = storedIn((turn && field.other) || field, item)
    const read = value ? field.decode(value, field.path) : field.attribute.absent?.()
    if (read === undefined) continue
    if (field.single) row[field.name] = read
    else putAt(row, field.at, read)
  }
  return row
}

/** Refuses an encrypted value that was moved here from another row or attribute. */
function checkBindings(
  layout: Layout,
  kind: Kind,
  { bound, fold }: Reader,
  item: Item,
  only: readonly string[] | undefined,
): void {
  // An undirected edge is the same row from either end.
  const values = valuesOf(layout, kind, item)
  for (const { name, slot, attribute, path } of bound) {
    const stored = values[slot]
    if (!stored || (only && !only.includes(name))) continue
    const { name: at, identity } = belongingOf(kind.type, slot, values, fold)
    eachBound(attribute, stored, at, (binding, each, place) => {
      attempt(() => binding.check(each, { name: place, identity }), 'stored.type', path)
      return each
    })
  }
}

/** Puts a value into a row, below the names that lead there. */
export function putAt(row: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest[0]) {
    row[name!] ??= {}
    putAt(row[name!] as Record<string, unknown>, rest, value)
  } else row[name!] = value
}

/** Whether an item is still there: what has expired is gone, though DynamoDB deletes it later, and what is being deleted. */
export function isLive({ names }: Layout, item: Item, nowMs: number | undefined): boolean {
  if (item[names.going]) return false
  const expires = item[names.expires]?.N
  return expires === undefined || nowMs === undefined || Number(expires) * 1000 > nowMs
}

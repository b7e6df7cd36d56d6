import type { Attribute } from '../../src/schema/attribute.js'
import { bigint } from '../../src/schema/attributes/bigint.js'
import { counter } from '../../src/schema/attributes/counter.js'
import { date } from '../../src/schema/attributes/date.js'
import { day, yearMonth } from '../../src/schema/attributes/day.js'
import { decimal } from '../../src/schema/attributes/decimal.js'
import { embedded } from '../../src/schema/attributes/embedded.js'
import { fixedText } from '../../src/schema/attributes/fixed-text.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { type Json, json } from '../../src/schema/attributes/json.js'
import { list } from '../../src/schema/attributes/list.js'
import { map } from '../../src/schema/attributes/map.js'
import { number } from '../../src/schema/attributes/number.js'
import { oneOf } from '../../src/schema/attributes/one-of.js'
import { set } from '../../src/schema/attributes/set.js'
import { string } from '../../src/schema/attributes/string.js'
import { ulid } from '../../src/schema/attributes/ulid.js'
import { node } from '../../src/schema/node.js'
import { add, append, exclude, include, prepend, remove, within } from '../../src/schema/patch-operations.js'
import type { StandardSchema } from '../../src/schema/standard-schema.js'
import type { Fault } from '../../src/schema/types/fault.js'
import type { NodeId, NodeRow } from '../../src/schema/types/node-types.js'
import type { Patch } from '../../src/schema/types/patch.js'
import type { AttributeRow, AttributeRowInput, InputOf, Simplify } from '../../src/schema/types/row.js'

/** Compiles only where the two are the same type. */
declare function same<A, B>(
  proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never,
): void
declare const trimmed: StandardSchema<string, string>
declare const parsed: StandardSchema<string, number>
declare const perhaps: StandardSchema<string | undefined, string | undefined>
declare const filled: StandardSchema<string | undefined, string>

// What is read and what is given follow from the attributes.
const attributes = {
  id: ulid(),
  choice: oneOf('a', 'b'),
  amount: decimal(),
  many: bigint().optional(),
  at: date().default(() => new Date()),
  tags: set(string()).optional(),
  lines: list(map({ text: string(), page: integer().optional() })),
  rest: json(),
  count: counter(),
}
same<
  Simplify<AttributeRow<typeof attributes>>,
  {
    id: string
    choice: 'a' | 'b'
    amount: string
    at: Date
    lines: { text: string; page?: number }[]
    rest: Json
    count: number
    many?: bigint
    tags?: Set<string>
  }
>(true)
same<
  Simplify<AttributeRowInput<typeof attributes>>,
  {
    choice: 'a' | 'b'
    amount: string
    lines: readonly { text: string; page?: number | undefined }[]
    rest: Json<undefined>
    id?: string | undefined
    many?: bigint | undefined
    at?: Date | undefined
    tags?: ReadonlySet<string> | undefined
    count?: number | undefined
  }
>(true)

// What cannot be changed can be given as well as what can, however deep.
const nested = { lines: list(list(set(string()))), plan: map({ stops: list(integer()), by: parsed }).optional() }
same<
  Simplify<AttributeRowInput<typeof nested>>,
  {
    lines: readonly (readonly ReadonlySet<string>[])[]
    plan?: { stops: readonly number[]; by: string } | undefined
  }
>(true)
same<Simplify<AttributeRow<typeof nested>>, { lines: Set<string>[][]; plan?: { stops: number[]; by: number } }>(true)
list(string()).default(['a'] as const)

// A validator stands for an attribute: its input is given, its output read.
const validated = { parsed, perhaps, filled }
same<
  Simplify<AttributeRowInput<typeof validated>>,
  { parsed: string; perhaps?: string | undefined; filled?: string | undefined }
>(true)
same<Simplify<AttributeRow<typeof validated>>, { parsed: number; filled: string; perhaps?: string | undefined }>(true)
const mapOf = map(validated)
same<InputOf<typeof mapOf>, { parsed: string; perhaps?: string | undefined; filled?: string | undefined }>(true)
// Its output is what JSON has, however deep; what nobody knows before it runs is looked at then.
interface Tree {
  readonly name: string
  readonly at?: [number, number?] | undefined
  readonly trees: readonly Tree[]
}
declare const trees: StandardSchema<Tree>
type Nested = string | readonly Nested[]
declare const anything: StandardSchema<{ rest: unknown; json: Json; nested?: Nested }>
declare const given: Readonly<Record<string, StandardSchema>>
node('n', { id: string(), trees, anything, deep: list(map({ trees: list(trees) })), ...given }, { id: 'id' })
declare const moment: StandardSchema<string, Date>
declare const deep: StandardSchema<{ of: { big: bigint }[] }>
declare const holes: StandardSchema<(string | undefined)[]>
type Days = Date | readonly Days[]
declare const days: StandardSchema<Days>
declare const maps: StandardSchema<{ map?: ReadonlyMap<string, string> }>
// @ts-expect-error a Date is none of it
node('n', { id: string(), moment }, { id: 'id' })
// @ts-expect-error a bigint in it
node('n', { id: string(), deep }, { id: 'id' })
// @ts-expect-error an array has no undefined
map({ holes })
// @ts-expect-error a Map in it
embedded({ maps })
// @ts-expect-error a Date, however deep
list(days)
// @ts-expect-error a list of bytes
list({} as StandardSchema<Uint8Array>)
date().check(moment)
// So with attributes that are known when it is called.
export const owned = <A extends Readonly<Record<string, Attribute<unknown>>>>(rest: A) =>
  node('n', { id: string(), ...rest }, { id: 'id' })
export const named = <A extends { readonly id: Attribute<string> }>(rest: A) => node('n', rest, { id: 'id' })
export const several = <X extends StandardSchema>(of: X) => list(of)

// What is stored as JSON is changed as a whole only, also within a map.
const counted: StandardSchema<number, number> = number()
const patched = { rest: json(), counted, plan: map({ n: number(), any: json() }) }
same<
  Patch<{ rest: (typeof patched)['rest']; counted: typeof counted }, never>,
  { readonly rest?: Json<undefined>; readonly counted?: number }
>(true)
declare function update(patch: Patch<typeof patched, never>): void
update({ rest: [1], counted: 2, plan: within({ n: add(1), any: null }) })
// What may be missing in it is left out where it is.
type Settings = { theme: string; size?: number | undefined; last: { page: number | undefined }[] }
declare const settings: Settings
update({ rest: settings, plan: { n: 1, any: settings } })
json().default(settings)
// @ts-expect-error undefined is no JSON by itself
update({ rest: [undefined] })
// @ts-expect-error a number in JSON has no add()
update({ rest: add(1) })
// @ts-expect-error nor has what a validator makes
update({ counted: add(1) })
// @ts-expect-error nor JSON within a map
update({ plan: within({ any: append(1) }) })
// A decimal is a text, and is added to exactly, by a text too; a text is not, and a number not by a text.
const price = { id: string(), price: decimal().optional(), count: number(), big: bigint() }
declare function reprice(patch: Patch<typeof price, 'id'>): void
reprice({ price: add('-0.10') })
reprice({ price: add(1), count: add(1), big: add(1n) })
reprice({ price: remove() })
// @ts-expect-error a number by a text
reprice({ count: add('1') })
// @ts-expect-error a bigint by a text
reprice({ big: add('1') })
// @ts-expect-error nothing is added to a text
update({ plan: within({ any: add('1') }) })
const prices: Attribute<string>[] = [decimal(), decimal().stored('p'), decimal().check(trimmed)]
same<InputOf<(typeof prices)[0]>, string>(true)
// Where nothing can be changed, nothing is given.
declare function unchanged(patch: Patch<{ id: Attribute<string> }, 'id'>): void
unchanged({})
// @ts-expect-error the identity alone is there
unchanged({ id: 'other' })
// @ts-expect-error and nothing else
unchanged({ name: 'x' })
// What is one of a few is known by them, however deep it is given.
const few = { tags: set(oneOf('a', 'b')), plan: map({ tags: set(oneOf('a', 'b')), days: list(oneOf('c')) }) }
declare function change(patch: Patch<typeof few, never>): void
change({ tags: include('a'), plan: within({ tags: exclude('b'), days: append('c') }) })
// @ts-expect-error one that there is not
change({ plan: within({ days: prepend('d') }) })
export const checked: Attribute<string> = string().check(trimmed)
// @ts-expect-error a validator of another type
string().check(parsed)
// @ts-expect-error a default of another type
integer().default('1')
// @ts-expect-error a counter is never given, so it has no default
counter().default(0)

// An id of one part is that part, of several an object, of an owned node with its owner's.
const one = node('one', { id: string() }, { id: 'id' })
const two = node('two', { a: string(), b: integer() }, { id: ['a', 'b'], within: one })
const three = node('three', { c: date() }, { id: 'c', within: two })
const listed = node('listed', { id: string() }, { id: ['id'] })
same<NodeId<typeof one>, string>(true)
same<NodeId<typeof listed>, string>(true)
same<NodeId<typeof two>, { one: string; a: string; b: number }>(true)
same<NodeId<typeof three>, { two: { one: string; a: string; b: number }; c: Date }>(true)
same<NodeRow<typeof two>, { one: string; a: string; b: number }>(true)

// Texts of a fixed width are texts, optional or with a default as any other.
const calendar = { on: day(), month: yearMonth().optional(), no: fixedText('INV-000').default('INV-000') }
same<Simplify<AttributeRow<typeof calendar>>, { on: string; no: string; month?: string }>(true)
same<Simplify<AttributeRowInput<typeof calendar>>, { on: string; month?: string | undefined; no?: string | undefined }>(
  true,
)
same<Patch<typeof calendar, 'on'>['no'], string | undefined>(true)
// @ts-expect-error a day is a text, not a Date
const wrongDay: InputOf<typeof calendar.on> = new Date()
// @ts-expect-error a format is a text
const wrongFormat = fixedText(8)
void wrongDay
void wrongFormat

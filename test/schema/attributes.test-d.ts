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
import type { NodeId, NodeRow } from '../../src/schema/types/node-types.js'
import type { Patch } from '../../src/schema/types/patch.js'
import type { AttributeRow, AttributeRowInput, InputOf, Simplify } from '../../src/schema/types/row.js'

/** Compiles only if the two types are identical. */
declare function same<A, B>(
  proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never,
): void
declare const trimmed: StandardSchema<string, string>
declare const parsed: StandardSchema<string, number>
declare const perhaps: StandardSchema<string | undefined, string | undefined>
declare const filled: StandardSchema<string | undefined, string>

// The types of rows and inputs follow from the attributes.
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

// Inputs accept readonly values as well as mutable ones at any depth.
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

// A validator used as an attribute has its input type in inputs and its output type in rows.
const validated = { parsed, perhaps, filled }
same<
  Simplify<AttributeRowInput<typeof validated>>,
  { parsed: string; perhaps?: string | undefined; filled?: string | undefined }
>(true)
same<Simplify<AttributeRow<typeof validated>>, { parsed: number; filled: string; perhaps?: string | undefined }>(true)
const mapOf = map(validated)
same<InputOf<typeof mapOf>, { parsed: string; perhaps?: string | undefined; filled?: string | undefined }>(true)
// The output of a validator must be JSON at any depth. An output of unknown type is checked at run time.
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
// @ts-expect-error a Date is not JSON
node('n', { id: string(), moment }, { id: 'id' })
// @ts-expect-error a bigint is not JSON
node('n', { id: string(), deep }, { id: 'id' })
// @ts-expect-error an array of JSON cannot contain undefined
map({ holes })
// @ts-expect-error a Map is not JSON
embedded({ maps })
// @ts-expect-error a nested Date is not JSON
list(days)
// @ts-expect-error a list of bytes is not JSON
list({} as StandardSchema<Uint8Array>)
date().check(moment)
// The same holds for attributes of a generic function.
export const owned = <A extends Readonly<Record<string, Attribute<unknown>>>>(rest: A) =>
  node('n', { id: string(), ...rest }, { id: 'id' })
export const named = <A extends { readonly id: Attribute<string> }>(rest: A) => node('n', rest, { id: 'id' })
export const several = <X extends StandardSchema>(of: X) => list(of)

// A JSON value is only replaced as a whole, also inside a map.
const counted: StandardSchema<number, number> = number()
const patched = { rest: json(), counted, plan: map({ n: number(), any: json() }) }
same<
  Patch<{ rest: (typeof patched)['rest']; counted: typeof counted }, never>,
  { readonly rest?: Json<undefined>; readonly counted?: number }
>(true)
declare function update(patch: Patch<typeof patched, never>): void
update({ rest: [1], counted: 2, plan: within({ n: add(1), any: null }) })
// Optional members of JSON may be undefined and are left out.
type Settings = { theme: string; size?: number | undefined; last: { page: number | undefined }[] }
declare const settings: Settings
update({ rest: settings, plan: { n: 1, any: settings } })
json().default(settings)
// @ts-expect-error undefined alone is not JSON
update({ rest: [undefined] })
// @ts-expect-error a number in JSON has no add()
update({ rest: add(1) })
// @ts-expect-error the output of a validator has no add()
update({ counted: add(1) })
// @ts-expect-error JSON inside a map has no add()
update({ plan: within({ any: append(1) }) })
// A decimal is a string and accepts add() of a string. Strings do not accept add(), and numbers accept only numbers.
const price = { id: string(), price: decimal().optional(), count: number(), big: bigint() }
declare function reprice(patch: Patch<typeof price, 'id'>): void
reprice({ price: add('-0.10') })
reprice({ price: add(1), count: add(1), big: add(1n) })
reprice({ price: remove() })
// @ts-expect-error add() of a string to a number
reprice({ count: add('1') })
// @ts-expect-error add() of a string to a bigint
reprice({ big: add('1') })
// @ts-expect-error add() to a string
update({ plan: within({ any: add('1') }) })
const prices: Attribute<string>[] = [decimal(), decimal().stored('p'), decimal().check(trimmed)]
same<InputOf<(typeof prices)[0]>, string>(true)
// A type without mutable attributes has an empty patch.
declare function unchanged(patch: Patch<{ id: Attribute<string> }, 'id'>): void
unchanged({})
// @ts-expect-error a patch of the identity
unchanged({ id: 'other' })
// @ts-expect-error a patch of an unknown attribute
unchanged({ name: 'x' })
// The type of a choice is the union of its values, at any depth.
const few = { tags: set(oneOf('a', 'b')), plan: map({ tags: set(oneOf('a', 'b')), days: list(oneOf('c')) }) }
declare function change(patch: Patch<typeof few, never>): void
change({ tags: include('a'), plan: within({ tags: exclude('b'), days: append('c') }) })
// @ts-expect-error an unknown choice
change({ plan: within({ days: prepend('d') }) })
export const checked: Attribute<string> = string().check(trimmed)
// @ts-expect-error a validator of another type
string().check(parsed)
// @ts-expect-error a default of another type
integer().default('1')
// @ts-expect-error a counter has no default, because writes never give it
counter().default(0)

// An id of one part is that part. An id of several parts, or of an owned node, is an object.
const one = node('one', { id: string() }, { id: 'id' })
const two = node('two', { a: string(), b: integer() }, { id: ['a', 'b'], within: one })
const three = node('three', { c: date() }, { id: 'c', within: two })
const listed = node('listed', { id: string() }, { id: ['id'] })
same<NodeId<typeof one>, string>(true)
same<NodeId<typeof listed>, string>(true)
same<NodeId<typeof two>, { one: string; a: string; b: number }>(true)
same<NodeId<typeof three>, { two: { one: string; a: string; b: number }; c: Date }>(true)
same<NodeRow<typeof two>, { one: string; a: string; b: number }>(true)

// Texts of a fixed width are strings and accept modifiers like any other.
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

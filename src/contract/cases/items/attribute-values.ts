import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

const INVALID = 'One or more parameter values were invalid: '

/** Asserts that a put of this value is rejected with this message at the top level, in a map and in a list. */
async function expectInvalidValue(
  bench: TestBench,
  value: AttributeValue,
  message: string,
  expectError = expectInvalidRequest,
): Promise<void> {
  const trial = await ItemTrial.of(bench)
  for (const a of [value, { M: { inner: value } }, { L: [{ M: { inner: value } }] }])
    await expectError(trial.put({ a }), message)
  expectEqual(await trial.readAttributes(), undefined)
}

async function expectStoredUnchanged(bench: TestBench, attributes: Item): Promise<void> {
  const trial = await ItemTrial.of(bench, attributes)
  expectEqual(await trial.readAttributes(), attributes)
}

/** Cases of values that can and cannot be stored. */
export const attributeValueCases = defineCases('putItem', {
  'values of all ten types are returned unchanged': bench =>
    expectStoredUnchanged(bench, {
      string: { S: 'text' },
      number: { N: '12.5' },
      binary: { B: Uint8Array.of(0, 127, 128, 255) },
      strings: { SS: ['a', 'b'] },
      numbers: { NS: ['-1', '2'] },
      binaries: { BS: [Uint8Array.of(1), Uint8Array.of(2, 3)] },
      map: { M: { a: { N: '1' }, b: { M: {} } } },
      list: { L: [{ S: 'a' }, { L: [] }, { M: { c: { BOOL: false } } }] },
      nothing: { NULL: true },
      yes: { BOOL: true },
      no: { BOOL: false },
    }),
  'empty strings, binaries, maps and lists can be stored, and empty members of sets': bench =>
    expectStoredUnchanged(bench, {
      string: { S: '' },
      binary: { B: new Uint8Array() },
      map: { M: {} },
      list: { L: [] },
      nested: { M: { string: { S: '' }, list: { L: [{ S: '' }, { B: new Uint8Array() }] } } },
      strings: { SS: ['', 'a'] },
      binaries: { BS: [new Uint8Array(), Uint8Array.of(1)] },
    }),
  'strings keep every character': bench =>
    expectStoredUnchanged(bench, {
      zero: { S: 'a\u0000b' },
      beyond: { S: 'é – 中 – \u{1f600}' },
      unnormalized: { S: 'e\u0301' },
      blanks: { S: ' \t\n ' },
    }),
  'a binary view of a larger buffer is stored without the rest of the buffer': async bench => {
    const trial = await ItemTrial.of(bench, { a: { B: Uint8Array.of(1, 2, 3, 4).subarray(1, 3) } })
    expectEqual(await trial.readAttributes(), { a: { B: Uint8Array.of(2, 3) } })
  },
  'attribute names can contain any characters': bench =>
    expectStoredUnchanged(bench, {
      'with space': { N: '1' },
      'dot.ted': { N: '2' },
      '#a:b[0]': { N: '3' },
      'é中\u{1f600}': { N: '4' },
      '0': { N: '5' },
      SELECT: { M: { 'dot.ted': { N: '6' } } },
    }),
  'attribute names can be those of JavaScript object members': bench =>
    expectStoredUnchanged(bench, {
      constructor: { N: '1' },
      toString: { N: '2' },
      hasOwnProperty: { N: '3' },
      map: { M: { valueOf: { N: '4' }, constructor: { S: 'c' } } },
    }),
  'an attribute may be named __proto__': bench =>
    expectStoredUnchanged(bench, { ['__proto__']: { N: '1' }, map: { M: { ['__proto__']: { S: 'inner' } } } }),
  'an empty attribute name is rejected': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectInvalidRequest(trial.put({ '': { N: '1' } }), 'Empty attribute name')
    await expectInvalidRequest(trial.put({ a: { L: [{ M: { '': { N: '1' } } }] } }), 'Empty attribute name')
  },
  'sets come back in the order of their members': async bench => {
    const trial = await ItemTrial.of(bench, {
      strings: { SS: ['b', 'a', 'B'] },
      numbers: { NS: ['10', '9', '-1', '1.5'] },
    })
    expectEqual(await trial.readAttributes(), {
      strings: { SS: ['B', 'a', 'b'] },
      numbers: { NS: ['-1', '1.5', '9', '10'] },
    })
  },
  'an empty set is rejected': async bench => {
    await expectInvalidValue(bench, { SS: [] }, `${INVALID}An string set  may not be empty`)
    await expectInvalidValue(bench, { NS: [] }, `${INVALID}An number set  may not be empty`)
    await expectInvalidValue(bench, { BS: [] }, `${INVALID}Binary sets should not be empty`)
  },
  'a set with duplicate members is rejected': async bench => {
    const duplicates = (members: string) => `${INVALID}Input collection ${members}contains duplicates.`
    await expectInvalidValue(bench, { SS: ['a', 'a'] }, duplicates('["a", "a"] '))
    // The service reports the members before the first duplicate in their order.
    await expectInvalidValue(bench, { SS: ['c', 'a', 'c', 'a', '"b"'] }, duplicates('["a", "c", "c", "a", "\\"b\\""] '))
    await expectInvalidValue(bench, { NS: ['1', '2', '1.0'] }, duplicates(''))
    await expectInvalidValue(
      bench,
      { BS: [Uint8Array.of(255), Uint8Array.of(0), Uint8Array.of(0)] },
      duplicates('["AA==","/w==","AA=="]of type BS '),
    )
  },
  'a null value other than true is rejected': bench =>
    expectInvalidValue(bench, { NULL: false }, `${INVALID}Null attribute value types must have the value of true`),
  'a value without exactly one type is rejected': async bench => {
    await expectInvalidValue(
      bench,
      {} as AttributeValue,
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      expectValidationError,
    )
    await expectInvalidValue(
      bench,
      { S: 'a', N: '1' } as unknown as AttributeValue,
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      expectValidationError,
    )
  },
  'a value with several types reports an empty set first, then an invalid number, then a null other than true':
    async bench => {
      const refusesSeveral = (value: object, message: string) =>
        expectInvalidValue(bench, value as AttributeValue, message, expectValidationError)
      await refusesSeveral({ N: 'abc', SS: [] }, `${INVALID}An string set  may not be empty`)
      await refusesSeveral({ S: 'a', NS: [] }, `${INVALID}An number set  may not be empty`)
      await refusesSeveral({ S: 'a', BS: [] }, `${INVALID}Binary sets should not be empty`)
      await refusesSeveral({ S: '', N: '' }, 'The parameter cannot be converted to a numeric value')
      await refusesSeveral({ N: 'abc', NULL: false }, 'The parameter cannot be converted to a numeric value: abc')
      await refusesSeveral({ S: 'a', NS: ['1', 'b'] }, 'The parameter cannot be converted to a numeric value: b')
      await refusesSeveral({ S: 'a', NULL: false }, `${INVALID}Null attribute value types must have the value of true`)
    },
  'an invalid number is rejected': async bench => {
    const notNumeric = 'The parameter cannot be converted to a numeric value'
    for (const N of ['one', '0x1', 'NaN', 'Infinity', '1 2', '1_000', '--1', '1e', 'e1', '.', '1.2.3', '１'])
      await expectInvalidValue(bench, { N }, `${notNumeric}: ${N}`)
    await expectInvalidValue(bench, { N: '' }, `${notNumeric}: `)
    await expectInvalidValue(bench, { NS: ['1', 'x'] }, `${notNumeric}: x`)
  },
})

import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { WRITE_UNIT_BYTES } from '../../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../../dynamodb/size.js'
import { expectEqual } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

/**
 * Asserts the size of a value: with it, an item fills exactly one write unit, and one more byte requires a second unit.
 */
async function expectValueBytes(bench: TestBench, value: AttributeValue, bytes: number): Promise<void> {
  const trial = await ItemTrial.of(bench)
  const { TableName, Key } = trial
  const filling =
    WRITE_UNIT_BYTES -
    countUtf8Bytes('pk') -
    countUtf8Bytes(Key.pk!.S!) -
    countUtf8Bytes('a') -
    bytes -
    countUtf8Bytes('f')
  for (const [more, units] of [0, 1].entries()) {
    const Item = trial.item({ a: value, f: { S: 'x'.repeat(filling + more) } })
    const { ConsumedCapacity } = await bench.store.putItem({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' })
    expectEqual({ value, units: ConsumedCapacity?.CapacityUnits }, { value, units: units + 1 })
  }
}

/** Cases of the exact size of values, derived from the units of a write. */
export const itemSizeCases = defineCases('putItem', {
  'a string takes its UTF-8 bytes': async bench => {
    await expectValueBytes(bench, { S: '' }, 0)
    await expectValueBytes(bench, { S: 'abc' }, 3)
    await expectValueBytes(bench, { S: 'é' }, 2)
    await expectValueBytes(bench, { S: '中' }, 3)
    await expectValueBytes(bench, { S: '\u{1f600}' }, 4)
  },
  'a number takes one byte for each pair of digits from the decimal point, and one more': async bench => {
    const sizes: [string, number][] = [
      ['0', 1],
      ['1', 2],
      ['12', 2],
      ['123', 3],
      ['123456', 4],
      ['100', 2],
      ['110', 3],
      ['1100', 2],
      ['0.015', 3],
      ['0.0015', 2],
      ['1E125', 2],
      ['0.5', 2],
      ['1.5', 3],
      ['3.14159', 5],
      ['-1', 3],
      ['-12.5', 4],
      ['9'.repeat(38), 20],
      [`-${'9'.repeat(38)}`, 21],
      [`9.${'9'.repeat(37)}`, 21],
      [`-9.${'9'.repeat(37)}`, 21],
    ]
    for (const [N, bytes] of sizes) await expectValueBytes(bench, { N }, bytes)
  },
  'a binary takes its bytes, and a boolean or null takes one': async bench => {
    await expectValueBytes(bench, { B: Uint8Array.of(1, 2, 3) }, 3)
    await expectValueBytes(bench, { BOOL: true }, 1)
    await expectValueBytes(bench, { BOOL: false }, 1)
    await expectValueBytes(bench, { NULL: true }, 1)
  },
  'a set takes the bytes of its members': async bench => {
    await expectValueBytes(bench, { SS: ['a', 'bc'] }, 3)
    await expectValueBytes(bench, { NS: ['1', '123'] }, 5)
    await expectValueBytes(bench, { BS: [Uint8Array.of(1), Uint8Array.of(1, 2)] }, 3)
  },
  'a list or a map takes three bytes, one for each element, and the bytes of its contents': async bench => {
    await expectValueBytes(bench, { L: [] }, 3)
    await expectValueBytes(bench, { M: {} }, 3)
    await expectValueBytes(bench, { L: [{ S: 'ab' }, { NULL: true }] }, 8)
    await expectValueBytes(bench, { M: { ab: { S: 'c' }, d: { N: '1' } } }, 11)
    await expectValueBytes(bench, { L: [{ M: { a: { L: [] } } }] }, 12)
  },
})

import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import {
  ATTRIBUTE_NAME_BYTES,
  EXPRESSION_BYTES,
  EXPRESSION_IN_VALUES,
  EXPRESSION_OPERATORS,
  EXPRESSION_VALUES_BYTES,
  NESTING_LEVELS,
} from '../../../dynamodb/limits.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues } from '../../fixtures/item-trial.js'

const TOO_LONG = 'Expression size has exceeded the maximum allowed size;'
const V: PlaceholderValues = { ':v': { N: '1' } }
const repeat = (count: number, part: string, joint: string) => Array.from({ length: count }, () => part).join(joint)

const conditions = defineCases('updateItem', {
  'a condition has at most 4 KB of text': withCoverage(['limit:EXPRESSION_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const conditional = (length: number) => trial.update(undefined, V, { ConditionExpression: 'a = :v'.padEnd(length) })
    await conditional(EXPRESSION_BYTES)
    await expectInvalidRequest(conditional(EXPRESSION_BYTES + 1), `Invalid ConditionExpression: ${TOO_LONG}`)
  }),
  'a condition has at most 300 operators': withCoverage(['limit:EXPRESSION_OPERATORS'], async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const conditional = (ConditionExpression: string) => trial.update(undefined, V, { ConditionExpression })
    const tooMany = (count: number) =>
      `Invalid ConditionExpression: The expression contains too many operators; operator count: ${count}`
    // Every one of n comparisons counts, and so do the n - 1 ANDs and each NOT.
    const comparisons = EXPRESSION_OPERATORS / 2
    await conditional(`NOT a <> :v AND ${repeat(comparisons - 1, 'a=:v', ' AND ')}`)
    await expectInvalidRequest(
      conditional(`NOT NOT ${repeat(comparisons, 'a=:v', ' AND ')}`),
      tooMany(EXPRESSION_OPERATORS + 1),
    )
    await expectInvalidRequest(conditional(repeat(comparisons + 1, 'a=:v', ' OR ')), tooMany(EXPRESSION_OPERATORS + 1))
  }),
  'IN takes at most 100 operands': withCoverage(['limit:EXPRESSION_IN_VALUES'], async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: String(EXPRESSION_IN_VALUES) } })
    const among = (count: number) => {
      const values: Record<string, AttributeValue> = {}
      for (let i = 1; i <= count; i++) values[`:v${i}`] = { N: String(i) }
      return trial.update(undefined, values, { ConditionExpression: `a IN (${Object.keys(values).join(',')})` })
    }
    await among(EXPRESSION_IN_VALUES)
    await expectInvalidRequest(
      among(EXPRESSION_IN_VALUES + 1),
      `Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: ${EXPRESSION_IN_VALUES + 1}`,
    )
  }),
  'expression values have at most 2 MB, including their placeholders': withCoverage(
    ['limit:EXPRESSION_VALUES_BYTES'],
    async bench => {
      const trial = await ItemTrial.of(bench, {})
      const given = (bytes: number) => {
        const values: Record<string, AttributeValue> = {}
        const names = [':a', ':b', ':c', ':d', ':e', ':f', ':g', ':h']
        for (const name of names) values[name] = { S: 'x'.repeat(bytes / names.length - name.length) }
        values[':h'] = { S: `${values[':h']?.S}${'x'.repeat(bytes % names.length)}` }
        const ConditionExpression = `attribute_exists(pk) OR a IN (${names.join(',')})`
        return trial.update(undefined, values, { ConditionExpression })
      }
      // Values within this limit may still exceed the limit of one expression.
      const atLimit = await given(EXPRESSION_VALUES_BYTES).then(
        () => undefined,
        (error: Error) => error.message,
      )
      if (atLimit !== undefined) expectEqual(atLimit.startsWith(`Invalid ConditionExpression: ${TOO_LONG}`), true)
      await expectInvalidRequest(given(EXPRESSION_VALUES_BYTES + 1), 'ExpressionAttributeValues exceeds max size')
    },
  ),
  'a path in a condition has at most 32 elements': withCoverage(['limit:NESTING_LEVELS'], async bench => {
    const trial = await ItemTrial.of(bench, {})
    const absent = (elements: number) =>
      trial.update(undefined, {}, { ConditionExpression: `attribute_not_exists(a${'.b'.repeat(elements - 1)})` })
    await absent(NESTING_LEVELS)
    await expectInvalidRequest(
      absent(NESTING_LEVELS + 1),
      `Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: ${NESTING_LEVELS + 1}`,
    )
  }),
  'deeply nested parentheses and negations are accepted': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const nested = (depth: number) => `${repeat(depth, 'NOT (', '')}a = :v${')'.repeat(depth)}`
    await trial.update(undefined, V, { ConditionExpression: nested(100) })
    await expectInvalidRequest(
      trial.update(undefined, V, { ConditionExpression: nested(600) }),
      /^Invalid ConditionExpression: The expression contains too many operators; operator count: \d+$/,
    )
    await expectInvalidRequest(
      trial.update(undefined, V, { ConditionExpression: `${'('.repeat(1500)}a = :v${')'.repeat(1500)}` }),
      'Invalid ConditionExpression: The expression has redundant parentheses;',
    )
    await expectInvalidRequest(
      trial.update(undefined, V, { ConditionExpression: `:v < ${'f('.repeat(1000)}a${')'.repeat(1000)}` }),
      'Invalid ConditionExpression: Invalid function name; function: f',
    )
  },
})

const update = defineCases('updateItem', {
  'an update expression has at most 4 KB of text': withCoverage(['limit:EXPRESSION_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench, {})
    await trial.update('SET a = :v'.padEnd(EXPRESSION_BYTES), V)
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
    await expectInvalidRequest(
      trial.update('SET a = :v'.padEnd(EXPRESSION_BYTES + 1), V),
      `Invalid UpdateExpression: ${TOO_LONG}`,
    )
  }),
  'an update expression has at most 300 operators': withCoverage(['limit:EXPRESSION_OPERATORS'], async bench => {
    const trial = await ItemTrial.of(bench, { n: { N: '1' } })
    const sums = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=n+:v`).join(',')
    await trial.update(`SET ${sums(EXPRESSION_OPERATORS)}`, V)
    expectEqual((await trial.readAttributes())?.[`a${EXPRESSION_OPERATORS - 1}`], { N: '2' })
    await expectInvalidRequest(
      trial.update(`SET ${sums(EXPRESSION_OPERATORS + 1)}`, V),
      `Invalid UpdateExpression: The expression contains too many operators; operator count: ${EXPRESSION_OPERATORS + 1}`,
    )
  }),
  'an expression attribute name has at most 65535 bytes': withCoverage(['limit:ATTRIBUTE_NAME_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench, {})
    const longest = 'n'.repeat(ATTRIBUTE_NAME_BYTES)
    await trial.update('SET #n = :v', { ...V, '#n': longest })
    expectEqual(await trial.readAttributes(), { [longest]: { N: '1' } })
    await expectInvalidRequest(
      trial.update('SET #n = :v', { ...V, '#n': `${longest}n` }),
      'ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #n',
    )
  }),
  'a placeholder has at most 255 characters': async bench => {
    const trial = await ItemTrial.of(bench, {})
    const longest = `#${'n'.repeat(254)}`
    await trial.update(`SET ${longest} = :v`, { ...V, [longest]: 'a' })
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
    await expectInvalidRequest(
      trial.update(`SET ${longest}n = :v`, { ...V, [`${longest}n`]: 'a' }),
      'ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    )
  },
})

const get = defineCases('getItem', {
  'a projection has at most 4 KB of text': withCoverage(['limit:EXPRESSION_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    expectEqual(await trial.readProjection('a'.padEnd(EXPRESSION_BYTES)), { a: { N: '1' } })
    await expectValidationError(
      trial.readProjection('a'.padEnd(EXPRESSION_BYTES + 1)),
      `Invalid ProjectionExpression: ${TOO_LONG}`,
    )
  }),
})

/** Cases of the maximum length and depth of expressions. */
export const expressionLimitCases = [...conditions, ...update, ...get]

import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

const updateExpressionError = (detail: string) => `Invalid UpdateExpression: ${detail}`
const syntaxError = (token: string, near: string) =>
  updateExpressionError(`Syntax error; token: "${token}", near: "${near}"`)
const wrongOperandType = (operator: string, type: string) =>
  updateExpressionError(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  )

const V = { ':v': { N: '1' } }
const NO_ATTRIBUTE = 'The provided expression refers to an attribute that does not exist in the item'
const BAD_OPERAND = 'An operand in the update expression has an incorrect data type'

type InvalidUpdate = [expression: string, given: PlaceholderValues, message: string | RegExp]

/** Asserts that each update is rejected with this message and that the item does not change. */
async function expectAllInvalid(
  bench: TestBench,
  refusals: InvalidUpdate[],
  expectError = expectInvalidRequest,
): Promise<void> {
  const attributes = { a: { S: 'text' }, n: { N: '1' }, tags: { SS: ['a'] }, flag: { BOOL: true } }
  const trial = await ItemTrial.of(bench, attributes)
  for (const [expression, given, message] of refusals) await expectError(trial.update(expression, given), message)
  expectEqual(await trial.readAttributes(), attributes)
}

/** Cases of invalid update expressions. */
export const updateErrorCases = defineCases('updateItem', {
  'an empty update expression is rejected': bench =>
    expectAllInvalid(bench, [['', {}, updateExpressionError('The expression can not be empty;')]]),
  'a syntax error in an update expression is reported with the surrounding text': bench =>
    expectAllInvalid(bench, [
      ['SET', {}, syntaxError('<EOF>', 'SET')],
      ['a = :v', V, syntaxError('a', 'a =')],
      ['SET a', {}, syntaxError('<EOF>', 'a')],
      ['SET a = :v,', V, syntaxError('<EOF>', ',')],
      ['SET a = :v b = :v', V, syntaxError('b', ':v b =')],
      ['SET a == :v', V, syntaxError('=', '== :v')],
      ['SET a = :v + :v + :v', V, syntaxError('+', ':v + :v')],
      ['SET a = :v * :v', V, syntaxError('*', ':v * :v')],
      ['SET :v = a', V, syntaxError(':v', 'SET :v =')],
      ['REMOVE :v', V, syntaxError(':v', 'REMOVE :v')],
      ['ADD a = :v', V, syntaxError('=', 'a = :v')],
      ['ADD a b', {}, syntaxError('b', 'a b')],
      ['DELETE a', {}, syntaxError('<EOF>', 'a')],
      ['SET a[-1] = :v', V, syntaxError('-', '[-1')],
      ['UPSERT a = :v', V, syntaxError('UPSERT', 'UPSERT a')],
    ]),
  'a duplicate clause is rejected': bench =>
    expectAllInvalid(
      bench,
      ['SET a = :v SET b = :v', 'ADD n :v ADD m :v', 'DELETE s :v DELETE t :v', 'REMOVE a REMOVE b'].map(expression => [
        expression,
        expression.startsWith('REMOVE') ? {} : V,
        updateExpressionError(
          `The "${expression.split(' ')[0]}" section can only be used once in an update expression;`,
        ),
      ]),
    ),
  'a reserved word is rejected as a name in an update': bench =>
    expectAllInvalid(bench, [
      ['SET name = :v', V, updateExpressionError('Attribute name is a reserved keyword; reserved keyword: name')],
      ['REMOVE a.Data', {}, updateExpressionError('Attribute name is a reserved keyword; reserved keyword: Data')],
      [
        'SET a = timestamp',
        {},
        updateExpressionError('Attribute name is a reserved keyword; reserved keyword: timestamp'),
      ],
    ]),
  'functions of conditions are rejected in an update': bench =>
    expectAllInvalid(bench, [
      [
        'SET a = size(b)',
        {},
        updateExpressionError('The function is not allowed in an update expression; function: size'),
      ],
      [
        'SET a = attribute_exists(b)',
        {},
        updateExpressionError('The function is not allowed in an update expression; function: attribute_exists'),
      ],
      ['SET a = plus(b, :v)', V, updateExpressionError('Invalid function name; function: plus')],
      ['SET a = If_Not_Exists(b, :v)', V, updateExpressionError('Invalid function name; function: If_Not_Exists')],
    ]),
  'list_append in a sum is rejected': bench =>
    expectAllInvalid(bench, [
      [
        'SET a = :v + list_append(b, :w)',
        { ...V, ':w': { L: [] } },
        updateExpressionError(
          'The function is not allowed to be used this way in an expression; function: list_append',
        ),
      ],
    ]),
  'functions of updates take two operands, if_not_exists a path first': bench => {
    const wrongCount = (name: string, count: number) =>
      updateExpressionError(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${count}`,
      )
    return expectAllInvalid(bench, [
      ['SET a = if_not_exists(b)', {}, wrongCount('if_not_exists', 1)],
      ['SET a = list_append(b, c, d)', {}, wrongCount('list_append', 3)],
      [
        'SET a = if_not_exists(:v, b)',
        V,
        updateExpressionError('Operator or function requires a document path; operator or function: if_not_exists'),
      ],
    ])
  },
  'values of types that cannot be added, subtracted or joined are rejected': bench =>
    expectAllInvalid(bench, [
      ['SET n = n + :v', { ':v': { S: '1' } }, wrongOperandType('+', 'S')],
      ['SET n = n - :v', { ':v': { L: [] } }, wrongOperandType('-', 'L')],
      ['SET a = list_append(b, :v)', { ':v': { S: '1' } }, wrongOperandType('list_append', 'S')],
    ]),
  'ADD takes numbers and sets, and DELETE sets': bench => {
    const wrong = (operator: string, type: string) =>
      updateExpressionError(
        `Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}, ` +
          'typeSet: ALLOWED_FOR_ADD_OPERAND',
      )
    return expectAllInvalid(bench, [
      ['ADD a :v', { ':v': { S: '1' } }, wrong('ADD', 'STRING')],
      ['ADD a :v', { ':v': { B: Uint8Array.of(1) } }, wrong('ADD', 'Binary')],
      ['ADD a :v', { ':v': { BOOL: true } }, wrong('ADD', 'BOOL')],
      ['ADD a :v', { ':v': { NULL: true } }, wrong('ADD', 'NULL')],
      ['ADD a :v', { ':v': { M: {} } }, wrong('ADD', 'MAP')],
      ['ADD a :v', { ':v': { L: [] } }, wrong('ADD', 'LIST')],
      ['DELETE a :v', { ':v': { S: '1' } }, wrong('DELETE', 'STRING')],
      ['DELETE a :v', { ':v': { N: '1' } }, wrong('DELETE', 'NUMBER')],
      ['DELETE a :v', { ':v': { L: [] } }, wrong('DELETE', 'LIST')],
    ])
  },
  'an operand that is missing in the item is rejected': bench =>
    expectAllInvalid(
      bench,
      [
        ['SET b = absent', {}, NO_ATTRIBUTE],
        ['SET b = absent + :v', V, NO_ATTRIBUTE],
        ['SET b = n - absent', {}, NO_ATTRIBUTE],
        ['SET b = a.b', {}, NO_ATTRIBUTE],
        ['SET b = list_append(absent, :v)', { ':v': { L: [] } }, NO_ATTRIBUTE],
        ['SET b = if_not_exists(absent, gone)', {}, NO_ATTRIBUTE],
      ],
      expectValidationError,
    ),
  'an operand with another type in the item is rejected': bench =>
    expectAllInvalid(
      bench,
      [
        ['SET b = a + :v', V, BAD_OPERAND],
        ['SET b = n - a', {}, BAD_OPERAND],
        ['SET b = list_append(a, :v)', { ':v': { L: [] } }, BAD_OPERAND],
        ['ADD a :v', V, BAD_OPERAND],
        ['ADD tags :v', V, BAD_OPERAND],
        ['ADD tags :v', { ':v': { NS: ['1'] } }, BAD_OPERAND],
        ['ADD n :v', { ':v': { NS: ['1'] } }, BAD_OPERAND],
        ['DELETE a :v', { ':v': { SS: ['a'] } }, BAD_OPERAND],
        ['DELETE tags :v', { ':v': { NS: ['1'] } }, BAD_OPERAND],
      ],
      expectValidationError,
    ),
  'an undefined name or value in an update is rejected': bench =>
    expectAllInvalid(bench, [
      [
        'SET #b = :v',
        V,
        updateExpressionError(
          'An expression attribute name used in the document path is not defined; attribute name: #b',
        ),
      ],
      [
        'SET b = :w',
        {},
        updateExpressionError('An expression attribute value used in expression is not defined; attribute value: :w'),
      ],
    ]),
  'an unused name or value of an update is rejected': bench =>
    expectAllInvalid(bench, [
      [
        'SET b = :v',
        { ...V, ':w': { N: '1' } },
        'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}',
      ],
      [
        'SET b = :v',
        { ...V, '#w': 'w' },
        'Value provided in ExpressionAttributeNames unused in expressions: keys: {#w}',
      ],
    ]),
  'names and values are shared by the update and its condition': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const ConditionExpression = '#a = :one'
    await trial.update('SET #a = :two', { '#a': 'a', ':one': { N: '1' }, ':two': { N: '2' } }, { ConditionExpression })
    expectEqual(await trial.readAttributes(), { a: { N: '2' } })
  },
  'an update of the key is rejected': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, { a: { N: '1' } })
    const untouchable = (name: string) =>
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`
    await expectValidationError(trial.update('SET pk = :v', { ':v': { S: 'x' } }), untouchable('pk'))
    await expectValidationError(trial.update('REMOVE sk'), untouchable('sk'))
    await expectValidationError(trial.update('ADD #k :v', { '#k': 'pk', ':v': { N: '1' } }), untouchable('pk'))
    await expectValidationError(trial.update('DELETE sk :v', { ':v': { SS: ['x'] } }), untouchable('sk'))
    await expectValidationError(trial.update('SET sk.a = :v', { ':v': { S: 'x' } }), untouchable('sk'))
    await expectValidationError(trial.update('SET pk = :v', { ':v': trial.Key.pk! }), untouchable('pk'))
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
  },
  'an empty condition is reported before an empty update': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    const empty = { TableName, Key, UpdateExpression: '', ConditionExpression: '' }
    await expectValidationError(
      bench.store.updateItem(empty),
      '1 validation error detected: Invalid ConditionExpression: The expression can not be empty;',
    )
  },
})

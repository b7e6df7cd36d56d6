import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid, invalidRequest, same } from '../expect.js'
import { type Given, Trial } from './trial.js'

const said = (detail: string) => `Invalid UpdateExpression: ${detail}`
const syntax = (token: string, near: string) => said(`Syntax error; token: "${token}", near: "${near}"`)
const wrongType = (operator: string, type: string) =>
  said(`Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`)

const V = { ':v': { N: '1' } }
const NO_ATTRIBUTE = 'The provided expression refers to an attribute that does not exist in the item'
const BAD_OPERAND = 'An operand in the update expression has an incorrect data type'

type Refusal = [expression: string, given: Given, message: string | RegExp]

/** Each update is refused in these words, by itself unless said, and the item stays as it was. */
async function refuses(bench: Bench, refusals: Refusal[], tell = invalidRequest): Promise<void> {
  const attributes = { a: { S: 'text' }, n: { N: '1' }, tags: { SS: ['a'] }, flag: { BOOL: true } }
  const trial = await Trial.of(bench, attributes)
  for (const [expression, given, message] of refusals) await tell(trial.update(expression, given), message)
  same(await trial.attributes(), attributes)
}

/** Update expressions that cannot be taken. */
export const updateErrorCases = cases('updateItem', {
  'an empty update expression is refused': bench =>
    refuses(bench, [['', {}, said('The expression can not be empty;')]]),
  'a syntax error in an update expression is shown with what stands around it': bench =>
    refuses(bench, [
      ['SET', {}, syntax('<EOF>', 'SET')],
      ['a = :v', V, syntax('a', 'a =')],
      ['SET a', {}, syntax('<EOF>', 'a')],
      ['SET a = :v,', V, syntax('<EOF>', ',')],
      ['SET a = :v b = :v', V, syntax('b', ':v b =')],
      ['SET a == :v', V, syntax('=', '== :v')],
      ['SET a = :v + :v + :v', V, syntax('+', ':v + :v')],
      ['SET a = :v * :v', V, syntax('*', ':v * :v')],
      ['SET :v = a', V, syntax(':v', 'SET :v =')],
      ['REMOVE :v', V, syntax(':v', 'REMOVE :v')],
      ['ADD a = :v', V, syntax('=', 'a = :v')],
      ['ADD a b', {}, syntax('b', 'a b')],
      ['DELETE a', {}, syntax('<EOF>', 'a')],
      ['SET a[-1] = :v', V, syntax('-', '[-1')],
      ['UPSERT a = :v', V, syntax('UPSERT', 'UPSERT a')],
    ]),
  'each clause stands once': bench =>
    refuses(
      bench,
      ['SET a = :v SET b = :v', 'ADD n :v ADD m :v', 'DELETE s :v DELETE t :v', 'REMOVE a REMOVE b'].map(expression => [
        expression,
        expression.startsWith('REMOVE') ? {} : V,
        said(`The "${expression.split(' ')[0]}" section can only be used once in an update expression;`),
      ]),
    ),
  'a reserved word is refused as a name in an update': bench =>
    refuses(bench, [
      ['SET name = :v', V, said('Attribute name is a reserved keyword; reserved keyword: name')],
      ['REMOVE a.Data', {}, said('Attribute name is a reserved keyword; reserved keyword: Data')],
      ['SET a = timestamp', {}, said('Attribute name is a reserved keyword; reserved keyword: timestamp')],
    ]),
  'functions of conditions have no place in an update': bench =>
    refuses(bench, [
      ['SET a = size(b)', {}, said('The function is not allowed in an update expression; function: size')],
      [
        'SET a = attribute_exists(b)',
        {},
        said('The function is not allowed in an update expression; function: attribute_exists'),
      ],
      ['SET a = plus(b, :v)', V, said('Invalid function name; function: plus')],
      ['SET a = If_Not_Exists(b, :v)', V, said('Invalid function name; function: If_Not_Exists')],
    ]),
  'list_append is not part of a sum': bench =>
    refuses(bench, [
      [
        'SET a = :v + list_append(b, :w)',
        { ...V, ':w': { L: [] } },
        said('The function is not allowed to be used this way in an expression; function: list_append'),
      ],
    ]),
  'functions of updates take two operands, if_not_exists a path first': bench => {
    const wrongCount = (name: string, count: number) =>
      said(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${count}`,
      )
    return refuses(bench, [
      ['SET a = if_not_exists(b)', {}, wrongCount('if_not_exists', 1)],
      ['SET a = list_append(b, c, d)', {}, wrongCount('list_append', 3)],
      [
        'SET a = if_not_exists(:v, b)',
        V,
        said('Operator or function requires a document path; operator or function: if_not_exists'),
      ],
    ])
  },
  'values of types that cannot be added, subtracted or joined are refused': bench =>
    refuses(bench, [
      ['SET n = n + :v', { ':v': { S: '1' } }, wrongType('+', 'S')],
      ['SET n = n - :v', { ':v': { L: [] } }, wrongType('-', 'L')],
      ['SET a = list_append(b, :v)', { ':v': { S: '1' } }, wrongType('list_append', 'S')],
    ]),
  'ADD takes numbers and sets, and DELETE sets': bench => {
    const wrong = (operator: string, type: string) =>
      said(
        `Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}, ` +
          'typeSet: ALLOWED_FOR_ADD_OPERAND',
      )
    return refuses(bench, [
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
  'an operand that is not in the item is refused': bench =>
    refuses(
      bench,
      [
        ['SET b = absent', {}, NO_ATTRIBUTE],
        ['SET b = absent + :v', V, NO_ATTRIBUTE],
        ['SET b = n - absent', {}, NO_ATTRIBUTE],
        ['SET b = a.b', {}, NO_ATTRIBUTE],
        ['SET b = list_append(absent, :v)', { ':v': { L: [] } }, NO_ATTRIBUTE],
        ['SET b = if_not_exists(absent, gone)', {}, NO_ATTRIBUTE],
      ],
      invalid,
    ),
  'an operand in the item of another type is refused': bench =>
    refuses(
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
      invalid,
    ),
  'a name or value used in an update must be given': bench =>
    refuses(bench, [
      [
        'SET #b = :v',
        V,
        said('An expression attribute name used in the document path is not defined; attribute name: #b'),
      ],
      ['SET b = :w', {}, said('An expression attribute value used in expression is not defined; attribute value: :w')],
    ]),
  'a name or value given to an update must be used': bench =>
    refuses(bench, [
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
    const trial = await Trial.of(bench, { a: { N: '1' } })
    const ConditionExpression = '#a = :one'
    await trial.update('SET #a = :two', { '#a': 'a', ':one': { N: '1' }, ':two': { N: '2' } }, { ConditionExpression })
    same(await trial.attributes(), { a: { N: '2' } })
  },
  'the key cannot be updated': async bench => {
    const trial = await Trial.indexed(bench, { a: { N: '1' } })
    const untouchable = (name: string) =>
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`
    await invalid(trial.update('SET pk = :v', { ':v': { S: 'x' } }), untouchable('pk'))
    await invalid(trial.update('REMOVE sk'), untouchable('sk'))
    await invalid(trial.update('ADD #k :v', { '#k': 'pk', ':v': { N: '1' } }), untouchable('pk'))
    await invalid(trial.update('DELETE sk :v', { ':v': { SS: ['x'] } }), untouchable('sk'))
    await invalid(trial.update('SET sk.a = :v', { ':v': { S: 'x' } }), untouchable('sk'))
    await invalid(trial.update('SET pk = :v', { ':v': trial.Key.pk! }), untouchable('pk'))
    same(await trial.attributes(), { a: { N: '1' } })
  },
  'an empty condition is told before an empty update': async bench => {
    const { TableName, Key } = await Trial.of(bench)
    const empty = { TableName, Key, UpdateExpression: '', ConditionExpression: '' }
    await invalid(
      bench.store.updateItem(empty),
      '1 validation error detected: Invalid ConditionExpression: The expression can not be empty;',
    )
  },
})

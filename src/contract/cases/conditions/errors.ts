import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { defineConditionCases } from './condition-trial.js'

const conditionExpressionError = (detail: string) => `Invalid ConditionExpression: ${detail}`
const wrongOperandType = (operator: string, type: string) =>
  conditionExpressionError(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  )
const wrongOperandCount = (operator: string, count: number) =>
  conditionExpressionError(
    `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`,
  )
const misplacedFunction = (name: string) =>
  conditionExpressionError(`The function is not allowed to be used this way in an expression; function: ${name}`)
const syntaxError = (token: string, near: string) =>
  conditionExpressionError(`Syntax error; token: "${token}", near: "${near}"`)

const V = { ':v': { N: '1' } }
const TEXT = { ':v': { S: 'a' } }

/** Cases of invalid conditions, which are rejected for every item. */
export const conditionErrorCases = defineConditionCases(
  { a: { N: '1' } },
  {
    'an empty condition is rejected': trial =>
      trial.expectInvalid('', {}, conditionExpressionError('The expression can not be empty;')),
    'a syntax error is reported with the surrounding text': async trial => {
      await trial.expectInvalid('a', {}, syntaxError('<EOF>', 'a'))
      await trial.expectInvalid('a =', {}, syntaxError('<EOF>', '='))
      await trial.expectInvalid('a = :v AND', V, syntaxError('<EOF>', 'AND'))
      await trial.expectInvalid('a == :v', V, syntaxError('=', '== :v'))
      await trial.expectInvalid('(a = :v', V, syntaxError('<EOF>', ':v'))
      await trial.expectInvalid('a = :v)', V, syntaxError(')', ':v)'))
      await trial.expectInvalid('a IN ()', {}, syntaxError(')', '()'))
      await trial.expectInvalid('a BETWEEN :v', V, syntaxError('<EOF>', ':v'))
      await trial.expectInvalid('a = 1', {}, syntaxError('1', '= 1'))
      await trial.expectInvalid("a = 'b'", {}, syntaxError("'", "= 'b"))
      await trial.expectInvalid('a ! :v', V, syntaxError('!', 'a ! :v'))
      await trial.expectInvalid('a[x] = :v', V, syntaxError('x', '[x]'))
      await trial.expectInvalid('a..b = :v', V, syntaxError('.', '..b'))
    },
    'redundant parentheses are rejected': async trial => {
      await trial.expectInvalid('((a = :v))', V, conditionExpressionError('The expression has redundant parentheses;'))
    },
    'a reserved word is rejected as a name, in any case and at any depth': async trial => {
      const reserved = (word: string) =>
        conditionExpressionError(`Attribute name is a reserved keyword; reserved keyword: ${word}`)
      await trial.expectInvalid('name = :v', V, reserved('name'))
      await trial.expectInvalid('STATUS = :v', V, reserved('STATUS'))
      await trial.expectInvalid('attribute_exists(a.Zone)', {}, reserved('Zone'))
    },
    'an unknown function is rejected, and function names are case-sensitive': async trial => {
      await trial.expectInvalid('is_set(a)', {}, conditionExpressionError('Invalid function name; function: is_set'))
      await trial.expectInvalid(
        'Attribute_exists(a)',
        {},
        conditionExpressionError('Invalid function name; function: Attribute_exists'),
      )
      await trial.expectInvalid('SIZE(a) = :v', V, conditionExpressionError('Invalid function name; function: SIZE'))
    },
    'functions of updates are rejected in a condition': async trial => {
      for (const name of ['if_not_exists', 'list_append'])
        await trial.expectInvalid(
          `${name}(a, :v) = :v`,
          V,
          conditionExpressionError(`The function is not allowed in a condition expression; function: ${name}`),
        )
    },
    'size is an operand, and every other function is a condition': async trial => {
      await trial.expectInvalid('size(a)', {}, misplacedFunction('size'))
      await trial.expectInvalid('attribute_exists(a) = :v', V, misplacedFunction('attribute_exists'))
      await trial.expectInvalid('contains(a, begins_with(a, :v))', V, misplacedFunction('begins_with'))
    },
    'a wrong number of operands of a function is rejected': async trial => {
      await trial.expectInvalid('attribute_exists(a, b)', {}, wrongOperandCount('attribute_exists', 2))
      await trial.expectInvalid('attribute_not_exists(a, b)', {}, wrongOperandCount('attribute_not_exists', 2))
      await trial.expectInvalid('attribute_type(a)', {}, wrongOperandCount('attribute_type', 1))
      await trial.expectInvalid('begins_with(a)', {}, wrongOperandCount('begins_with', 1))
      await trial.expectInvalid('contains(a, b, c)', {}, wrongOperandCount('contains', 3))
      await trial.expectInvalid('size(a, b) = :v', V, wrongOperandCount('size', 2))
    },
    'attribute_exists and attribute_not_exists take a path': async trial => {
      for (const name of ['attribute_exists', 'attribute_not_exists'])
        await trial.expectInvalid(
          `${name}(:v)`,
          V,
          conditionExpressionError(`Operator or function requires a document path; operator or function: ${name}`),
        )
    },
    'values of a type that an operator or function cannot take are rejected': async trial => {
      for (const operator of ['<', '<=', '>', '>='])
        await trial.expectInvalid(`a ${operator} :v`, { ':v': { BOOL: true } }, wrongOperandType(operator, 'BOOL'))
      await trial.expectInvalid('a < :v', { ':v': { NULL: true } }, wrongOperandType('<', 'NULL'))
      await trial.expectInvalid('a < :v', { ':v': { L: [] } }, wrongOperandType('<', 'L'))
      await trial.expectInvalid('a < :v', { ':v': { M: {} } }, wrongOperandType('<', 'M'))
      await trial.expectInvalid('a < :v', { ':v': { SS: ['a'] } }, wrongOperandType('<', 'SS'))
      await trial.expectInvalid('a < :v', { ':v': { NS: ['1'] } }, wrongOperandType('<', 'NS'))
      await trial.expectInvalid('a < :v', { ':v': { BS: [Uint8Array.of(1)] } }, wrongOperandType('<', 'BS'))
      await trial.expectInvalid(
        'a BETWEEN :v AND :w',
        { ':v': { BOOL: true }, ':w': { BOOL: true } },
        wrongOperandType('BETWEEN', 'BOOL'),
      )
      await trial.expectInvalid('begins_with(a, :v)', V, wrongOperandType('begins_with', 'N'))
      await trial.expectInvalid('begins_with(:v, a)', { ':v': { L: [] } }, wrongOperandType('begins_with', 'L'))
      await trial.expectInvalid('size(:v) = a', V, wrongOperandType('size', 'N'))
      await trial.expectInvalid('size(:v) = a', { ':v': { BOOL: true } }, wrongOperandType('size', 'BOOL'))
    },
    'attribute_type requires the name of a type as a value': async trial => {
      await trial.expectInvalid('attribute_type(a, :v)', V, wrongOperandType('attribute_type', 'N'))
      await trial.expectInvalid(
        'attribute_type(a, :v)',
        { ':v': { S: 'STRING' } },
        // The service lists the types in an unspecified order.
        /^Invalid ConditionExpression: Invalid attribute type name found; type: STRING, valid types: \{([A-Z]{1,4},){9}[A-Z]{1,4}\}$/,
      )
    },
    'BETWEEN needs bounds of one type, the lower not above the upper': async trial => {
      await trial.expectInvalid(
        'a BETWEEN :v AND :w',
        { ':v': { N: '2' }, ':w': { N: '1' } },
        conditionExpressionError(
          'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
            'lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
        ),
      )
      await trial.expectInvalid(
        'a BETWEEN :v AND :w',
        { ':v': { N: '1' }, ':w': { S: 'b' } },
        conditionExpressionError(
          'The BETWEEN operator requires same data type for lower and upper bounds; ' +
            'lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:b}',
        ),
      )
    },
    'comparing an attribute with itself is rejected': async trial => {
      const notDistinct = (operator: string) =>
        conditionExpressionError(
          'The first operand must be distinct from the remaining operands for this operator or function; ' +
            `operator: ${operator}, first operand: [a]`,
        )
      for (const operator of ['=', '<>', '<', '<=', '>', '>='])
        await trial.expectInvalid(`a ${operator} a`, {}, notDistinct(operator))
      await trial.expectInvalid('a IN (b, a)', {}, notDistinct('IN'))
      await trial.expectInvalid('a BETWEEN a AND b', {}, notDistinct('BETWEEN'))
      await trial.expectInvalid('begins_with(a, a)', {}, notDistinct('begins_with'))
      await trial.expectInvalid('contains(a, #a)', { '#a': 'a' }, notDistinct('contains'))
    },
    'an undefined name or value is rejected': async trial => {
      await trial.expectInvalid(
        '#a = :v',
        V,
        conditionExpressionError(
          'An expression attribute name used in the document path is not defined; attribute name: #a',
        ),
      )
      await trial.expectInvalid(
        'a = :w',
        {},
        conditionExpressionError(
          'An expression attribute value used in expression is not defined; attribute value: :w',
        ),
      )
      await trial.expectInvalid(
        'a = :v OR a = :w',
        V,
        conditionExpressionError(
          'An expression attribute value used in expression is not defined; attribute value: :w',
        ),
      )
    },
    'an unused name or value is rejected': async trial => {
      await trial.expectInvalid(
        'a = :v',
        { ...V, ':w': { N: '2' } },
        'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}',
      )
      await trial.expectInvalid(
        'a = :v',
        { ...V, '#b': 'b' },
        'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
      )
    },
    'a placeholder begins with its sign and has at least one more character': async trial => {
      const badName = (key: string) => `ExpressionAttributeNames contains invalid key: Syntax error; key: "${key}"`
      const badValue = (key: string) => `ExpressionAttributeValues contains invalid key: Syntax error; key: "${key}"`
      await trial.expectInvalid('a = :v', { ...V, b: 'b' }, badName('b'))
      await trial.expectInvalid('a = :v', { ...V, '#': 'b' }, badName('#'))
      await trial.expectInvalid('a = :v', { ...V, '#b-c': 'b' }, badName('#b-c'))
      await trial.expectInvalid('a = :v', { v: { N: '1' } }, badValue('v'))
      await trial.expectInvalid('a = :v', { ':': { N: '1' } }, badValue(':'))
    },
    'an invalid value is rejected': async trial => {
      const badValue = (detail: string) => `One or more parameter values were invalid: ${detail}`
      await trial.expectInvalid(
        'a = :v',
        { ':v': { N: 'one' } },
        'The parameter cannot be converted to a numeric value: one',
      )
      await trial.expectInvalid('a = :v', { ':v': { SS: [] } }, badValue('An string set  may not be empty'))
      await trial.expectInvalid(
        'a = :v',
        { ':v': { NS: ['2', '1', '2.0'] } },
        badValue('Input collection contains duplicates.'),
      )
      await trial.expectInvalid(
        'a = :v',
        { ':v': { NULL: false } },
        badValue('Null attribute value types must have the value of true'),
      )
      await trial.expectInvalid('a = :v', { ':v': { M: { '': { N: '1' } } } }, 'Empty attribute name')
    },
    'a value without exactly one type is reported by its name': async trial => {
      const unfit = { ':v': { S: 'a', N: '1' } as AttributeValue }
      const invalidValue = (key: string, detail: string) =>
        `ExpressionAttributeValues contains invalid value: ${detail} for key ${key}`
      await trial.expectInvalidBare(
        'a = :v',
        unfit,
        invalidValue(
          ':v',
          'Supplied AttributeValue has more than one datatypes set, ' +
            'must contain exactly one of the supported datatypes',
        ),
      )
      // Next to this value, the service reports duplicates of another value in the same format.
      const withDuplicates = { ':u': { SS: ['b', 'a', 'b'] }, ...unfit }
      const duplicates = 'One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.'
      await trial.expectInvalidBare('a IN (:u, :v)', withDuplicates, invalidValue(':u', duplicates))
    },
    'an expression attribute name is not empty': trial =>
      trial.expectInvalid(
        '#a = :v',
        { ...V, '#a': '' },
        'ExpressionAttributeNames contains invalid value: Empty attribute name for key #a',
      ),
    'the first error in the order of the text is reported': async trial => {
      await trial.expectInvalid(
        'attribute_exists(:v) AND #a = :w',
        TEXT,
        conditionExpressionError(
          'Operator or function requires a document path; operator or function: attribute_exists',
        ),
      )
      await trial.expectInvalid('size(a) AND name = :v', V, misplacedFunction('size'))
    },
  },
)

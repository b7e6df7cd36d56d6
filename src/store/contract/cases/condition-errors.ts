import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { conditionCases } from './condition-trial.js'

const said = (detail: string) => `Invalid ConditionExpression: ${detail}`
const wrongType = (operator: string, type: string) =>
  said(`Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`)
const wrongCount = (operator: string, count: number) =>
  said(
    `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`,
  )
const misplaced = (name: string) =>
  said(`The function is not allowed to be used this way in an expression; function: ${name}`)
const syntax = (token: string, near: string) => said(`Syntax error; token: "${token}", near: "${near}"`)

const V = { ':v': { N: '1' } }
const TEXT = { ':v': { S: 'a' } }

/** Conditions that cannot be taken, whatever the item. */
export const conditionErrorCases = conditionCases(
  { a: { N: '1' } },
  {
    'an empty condition is refused': trial => trial.refuses('', {}, said('The expression can not be empty;')),
    'a syntax error is shown with what stands around it': async trial => {
      await trial.refuses('a', {}, syntax('<EOF>', 'a'))
      await trial.refuses('a =', {}, syntax('<EOF>', '='))
      await trial.refuses('a = :v AND', V, syntax('<EOF>', 'AND'))
      await trial.refuses('a == :v', V, syntax('=', '== :v'))
      await trial.refuses('(a = :v', V, syntax('<EOF>', ':v'))
      await trial.refuses('a = :v)', V, syntax(')', ':v)'))
      await trial.refuses('a IN ()', {}, syntax(')', '()'))
      await trial.refuses('a BETWEEN :v', V, syntax('<EOF>', ':v'))
      await trial.refuses('a = 1', {}, syntax('1', '= 1'))
      await trial.refuses("a = 'b'", {}, syntax("'", "= 'b"))
      await trial.refuses('a ! :v', V, syntax('!', 'a ! :v'))
      await trial.refuses('a[x] = :v', V, syntax('x', '[x]'))
      await trial.refuses('a..b = :v', V, syntax('.', '..b'))
    },
    'redundant parentheses are refused': async trial => {
      await trial.refuses('((a = :v))', V, said('The expression has redundant parentheses;'))
    },
    'a reserved word is refused as a name, in any case and at any depth': async trial => {
      const reserved = (word: string) => said(`Attribute name is a reserved keyword; reserved keyword: ${word}`)
      await trial.refuses('name = :v', V, reserved('name'))
      await trial.refuses('STATUS = :v', V, reserved('STATUS'))
      await trial.refuses('attribute_exists(a.Zone)', {}, reserved('Zone'))
    },
    'an unknown function is refused, and names of functions are exact': async trial => {
      await trial.refuses('is_set(a)', {}, said('Invalid function name; function: is_set'))
      await trial.refuses('Attribute_exists(a)', {}, said('Invalid function name; function: Attribute_exists'))
      await trial.refuses('SIZE(a) = :v', V, said('Invalid function name; function: SIZE'))
    },
    'functions of updates have no place in a condition': async trial => {
      for (const name of ['if_not_exists', 'list_append'])
        await trial.refuses(
          `${name}(a, :v) = :v`,
          V,
          said(`The function is not allowed in a condition expression; function: ${name}`),
        )
    },
    'size is an operand, and every other function a condition': async trial => {
      await trial.refuses('size(a)', {}, misplaced('size'))
      await trial.refuses('attribute_exists(a) = :v', V, misplaced('attribute_exists'))
      await trial.refuses('contains(a, begins_with(a, :v))', V, misplaced('begins_with'))
    },
    'a function takes as many operands as it has': async trial => {
      await trial.refuses('attribute_exists(a, b)', {}, wrongCount('attribute_exists', 2))
      await trial.refuses('attribute_not_exists(a, b)', {}, wrongCount('attribute_not_exists', 2))
      await trial.refuses('attribute_type(a)', {}, wrongCount('attribute_type', 1))
      await trial.refuses('begins_with(a)', {}, wrongCount('begins_with', 1))
      await trial.refuses('contains(a, b, c)', {}, wrongCount('contains', 3))
      await trial.refuses('size(a, b) = :v', V, wrongCount('size', 2))
    },
    'attribute_exists and attribute_not_exists take a path': async trial => {
      for (const name of ['attribute_exists', 'attribute_not_exists'])
        await trial.refuses(
          `${name}(:v)`,
          V,
          said(`Operator or function requires a document path; operator or function: ${name}`),
        )
    },
    'values of a type that an operator or function cannot take are refused': async trial => {
      for (const operator of ['<', '<=', '>', '>='])
        await trial.refuses(`a ${operator} :v`, { ':v': { BOOL: true } }, wrongType(operator, 'BOOL'))
      await trial.refuses('a < :v', { ':v': { NULL: true } }, wrongType('<', 'NULL'))
      await trial.refuses('a < :v', { ':v': { L: [] } }, wrongType('<', 'L'))
      await trial.refuses('a < :v', { ':v': { M: {} } }, wrongType('<', 'M'))
      await trial.refuses('a < :v', { ':v': { SS: ['a'] } }, wrongType('<', 'SS'))
      await trial.refuses('a < :v', { ':v': { NS: ['1'] } }, wrongType('<', 'NS'))
      await trial.refuses('a < :v', { ':v': { BS: [Uint8Array.of(1)] } }, wrongType('<', 'BS'))
      await trial.refuses(
        'a BETWEEN :v AND :w',
        { ':v': { BOOL: true }, ':w': { BOOL: true } },
        wrongType('BETWEEN', 'BOOL'),
      )
      await trial.refuses('begins_with(a, :v)', V, wrongType('begins_with', 'N'))
      await trial.refuses('begins_with(:v, a)', { ':v': { L: [] } }, wrongType('begins_with', 'L'))
      await trial.refuses('size(:v) = a', V, wrongType('size', 'N'))
      await trial.refuses('size(:v) = a', { ':v': { BOOL: true } }, wrongType('size', 'BOOL'))
    },
    'attribute_type takes the name of a type as a value': async trial => {
      await trial.refuses('attribute_type(a, :v)', V, wrongType('attribute_type', 'N'))
      await trial.refuses(
        'attribute_type(a, :v)',
        { ':v': { S: 'STRING' } },
        // The service lists the types in no order of its own.
        /^Invalid ConditionExpression: Invalid attribute type name found; type: STRING, valid types: \{([A-Z]{1,4},){9}[A-Z]{1,4}\}$/,
      )
    },
    'BETWEEN needs bounds of one type, the lower not above the upper': async trial => {
      await trial.refuses(
        'a BETWEEN :v AND :w',
        { ':v': { N: '2' }, ':w': { N: '1' } },
        said(
          'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
            'lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
        ),
      )
      await trial.refuses(
        'a BETWEEN :v AND :w',
        { ':v': { N: '1' }, ':w': { S: 'b' } },
        said(
          'The BETWEEN operator requires same data type for lower and upper bounds; ' +
            'lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:b}',
        ),
      )
    },
    'an attribute is not compared with itself': async trial => {
      const notDistinct = (operator: string) =>
        said(
          'The first operand must be distinct from the remaining operands for this operator or function; ' +
            `operator: ${operator}, first operand: [a]`,
        )
      for (const operator of ['=', '<>', '<', '<=', '>', '>='])
        await trial.refuses(`a ${operator} a`, {}, notDistinct(operator))
      await trial.refuses('a IN (b, a)', {}, notDistinct('IN'))
      await trial.refuses('a BETWEEN a AND b', {}, notDistinct('BETWEEN'))
      await trial.refuses('begins_with(a, a)', {}, notDistinct('begins_with'))
      await trial.refuses('contains(a, #a)', { '#a': 'a' }, notDistinct('contains'))
    },
    'a name or value that is used must be given': async trial => {
      await trial.refuses(
        '#a = :v',
        V,
        said('An expression attribute name used in the document path is not defined; attribute name: #a'),
      )
      await trial.refuses(
        'a = :w',
        {},
        said('An expression attribute value used in expression is not defined; attribute value: :w'),
      )
      await trial.refuses(
        'a = :v OR a = :w',
        V,
        said('An expression attribute value used in expression is not defined; attribute value: :w'),
      )
    },
    'a name or value that is given must be used': async trial => {
      await trial.refuses(
        'a = :v',
        { ...V, ':w': { N: '2' } },
        'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}',
      )
      await trial.refuses(
        'a = :v',
        { ...V, '#b': 'b' },
        'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
      )
    },
    'placeholders begin with their sign and have something after it': async trial => {
      const badName = (key: string) => `ExpressionAttributeNames contains invalid key: Syntax error; key: "${key}"`
      const badValue = (key: string) => `ExpressionAttributeValues contains invalid key: Syntax error; key: "${key}"`
      await trial.refuses('a = :v', { ...V, b: 'b' }, badName('b'))
      await trial.refuses('a = :v', { ...V, '#': 'b' }, badName('#'))
      await trial.refuses('a = :v', { ...V, '#b-c': 'b' }, badName('#b-c'))
      await trial.refuses('a = :v', { v: { N: '1' } }, badValue('v'))
      await trial.refuses('a = :v', { ':': { N: '1' } }, badValue(':'))
    },
    'a value that could not be stored is refused': async trial => {
      const badValue = (detail: string) => `One or more parameter values were invalid: ${detail}`
      await trial.refuses('a = :v', { ':v': { N: 'one' } }, 'The parameter cannot be converted to a numeric value: one')
      await trial.refuses('a = :v', { ':v': { SS: [] } }, badValue('An string set  may not be empty'))
      await trial.refuses(
        'a = :v',
        { ':v': { NS: ['2', '1', '2.0'] } },
        badValue('Input collection contains duplicates.'),
      )
      await trial.refuses(
        'a = :v',
        { ':v': { NULL: false } },
        badValue('Null attribute value types must have the value of true'),
      )
      await trial.refuses('a = :v', { ':v': { M: { '': { N: '1' } } } }, 'Empty attribute name')
    },
    'the value that is not of one type is told by its name': async trial => {
      const unfit = { ':v': { S: 'a', N: '1' } as AttributeValue }
      const told = (key: string, detail: string) =>
        `ExpressionAttributeValues contains invalid value: ${detail} for key ${key}`
      await trial.refusesBare(
        'a = :v',
        unfit,
        told(
          ':v',
          'Supplied AttributeValue has more than one datatypes set, ' +
            'must contain exactly one of the supported datatypes',
        ),
      )
      // Beside such a value another is told in the same way.
      const beside = { ':u': { SS: ['b', 'a', 'b'] }, ...unfit }
      const duplicates = 'One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.'
      await trial.refusesBare('a IN (:u, :v)', beside, told(':u', duplicates))
    },
    'an expression attribute name is not empty': trial =>
      trial.refuses(
        '#a = :v',
        { ...V, '#a': '' },
        'ExpressionAttributeNames contains invalid value: Empty attribute name for key #a',
      ),
    'the first fault in the order of writing is the one that is told': async trial => {
      await trial.refuses(
        'attribute_exists(:v) AND #a = :w',
        TEXT,
        said('Operator or function requires a document path; operator or function: attribute_exists'),
      )
      await trial.refuses('size(a) AND name = :v', V, misplaced('size'))
    },
  },
)

import { NESTING_LEVELS } from '../../../dynamodb/limits.js'
import { expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { numericValue, sharedFixture, stringValue } from '../../fixtures/test-partition.js'
import { locationOf, PartiqlPartition } from './partiql-partition.js'

const sharedPartition = sharedFixture(bench => PartiqlPartition.of(bench, 'compositeN'))

const OVERFLOW = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const UNDERFLOW = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

/** Cases of literals, including invalid ones with the service's messages. */
export const partiqlLiteralCases = defineCases('executeStatement', {
  'an invalid number is reported with its position': async bench => {
    const stating = await sharedPartition(bench)
    await expectValidationError(stating.execute('SELECT * FROM TABLE WHERE sk = 1e126'), `${OVERFLOW} under root`)
    await expectValidationError(
      stating.execute('UPDATE TABLE SET a = 1e-131 WHERE pk = PK AND sk = 1'),
      `${UNDERFLOW} under root`,
    )
    const insert = (value: string) => stating.execute(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'a': ${value}}`)
    await expectValidationError(insert(`{'x': 1e126}`), `${OVERFLOW} under root.x`)
    await expectValidationError(insert('[1, 1e126]'), `${OVERFLOW} under root[1]`)
    const digits = '123456789012345678901234567890123456789'
    await expectValidationError(
      insert(digits),
      'Attempting to store more than 38 significant digits in a Number under root',
    )
  },

  'a literal nests 32 levels': withCoverage(['limit:NESTING_LEVELS'], async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const nested = (open: string, close: string, levels: number) => open.repeat(levels) + 1 + close.repeat(levels)
    for (const [open, close] of [
      ['[', ']'],
      [`{'a':`, '}'],
    ] as const) {
      const setting = (levels: number) => `UPDATE TABLE SET a = ${nested(open, close, levels)} WHERE pk = PK AND sk = 1`
      await stating.write(setting(NESTING_LEVELS - 1))
      await expectValidationError(
        stating.execute(setting(NESTING_LEVELS)),
        /^Nesting Levels have exceeded supported limits under root/,
      )
    }
  }),

  'the names of a struct are strings': async bench => {
    const stating = await sharedPartition(bench)
    for (const [name, type] of [
      ['word', 'VariableReference'],
      ['15', 'INT'],
      ['1.5', 'DECIMAL'],
      ['1e2', 'DECIMAL'],
      ['true', 'BOOL'],
    ] as const) {
      const words = stating.toStatement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, ${name}: 1}`)
      await expectValidationError(
        stating.execute(words),
        `Tuple keys must be of type String. Actual type: ${type} under root at ${locationOf(words, `${name}:`, name.length)}`,
      )
    }
  },

  'a value that is not a literal is rejected': async bench => {
    const stating = await sharedPartition(bench)
    const insert = (value: string) => stating.toStatement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'a': ${value}}`)
    const refusal = async (value: string, part: string, detail: string) =>
      expectValidationError(
        stating.execute(insert(value), [numericValue(1)]),
        `${detail} at ${locationOf(insert(value), part)}`,
      )
    await refusal(`set_add(<<'a'>>, <<'b'>>)`, 'set_add', 'Unsupported data type: set_add under key root')
    await refusal(`{'x': set_add(a, b)}`, 'set_add', 'Unsupported data type: Call under key root.x')
    await refusal('MISSING', 'MISSING', 'Unsupported data type: MISSING under key root')
    await refusal('other', 'other', 'Unsupported data type: other under key root')
    await refusal('1 + 1', '+', 'Unsupported data type: + under key root')
    await refusal('true AND false', 'AND', 'Unsupported data type: and under key root')
    await refusal('NOT true', 'NOT', 'Unsupported data type: not under key root')
    await refusal(`{'x': ?}`, '?', 'Unsupported data type: Parameter under key root.x')
    const ion = { symbol: 'SYMBOL', '{{aGk=}}': 'BLOB', '1.5': 'DECIMAL', '2026-01-01': 'TIMESTAMP', null: 'NULL' }
    for (const [words, type] of Object.entries(ion))
      await refusal(`\`${words}\``, `\`${words}\``, `Ion Literals are not supported: ${type} under key root`)
    const bags = 'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags'
    await refusal('<<[1]>>', '[', bags)
    await refusal(`<<'x', true>>`, 'true', bags)
    await refusal(`<<'x', ?>>`, '?', 'Unsupported data type: Parameter under key root')
    for (const bag of [`<<1, 'x'>>`, '<<1, [1]>>']) await expectValidationError(stating.execute(insert(bag)), bags)
    await expectValidationError(
      stating.execute(insert('[<<1, null>>]')),
      'One or more parameter values were invalid: Numeric sets may not contain null under root[0]',
    )
    await expectValidationError(
      stating.execute(insert(`<<'x', 'x'>>`)),
      'One or more parameter values were invalid: Input collection [x, x] contains duplicates.',
    )
    await expectValidationError(
      stating.execute(insert('[<<1, 1.0>>]')),
      'One or more parameter values were invalid: Input collection [1, 1.0] contains duplicates! under root[0]',
    )
    await expectValidationError(stating.execute(insert('<<>>')), 'Empty bags are not supported')
    const path = '[0]'.repeat(32)
    const nested = '['.repeat(33) + ']'.repeat(33)
    await expectValidationError(
      stating.execute(insert(nested)),
      `Nesting Levels have exceeded supported limits under root${path}`,
    )
    await expectValidationError(
      stating.execute('INSERT INTO TABLE VALUE ?', [stringValue('x')]),
      /^Unsupported format in item expression\./,
    )
    const twice = stating.toStatement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'sk': 2}`)
    await expectValidationError(
      stating.execute(twice),
      `Duplicate keys in tuple. Key: sk under root at ${locationOf(twice, "'sk': 2", 4)}`,
    )
  },

  'every question mark requires a parameter': async bench => {
    const stating = await sharedPartition(bench)
    const message = "Number of parameters in request and statement don't match."
    await expectValidationError(stating.execute('SELECT * FROM TABLE WHERE pk = ?'), message)
    await expectValidationError(
      stating.execute('SELECT * FROM TABLE WHERE pk = ? AND sk = ?', [stringValue('a')]),
      message,
    )
  },

  'parameters are validated before the statement': async bench => {
    const stating = await sharedPartition(bench)
    const unconvertible = 'The parameter cannot be converted to a numeric value'
    await expectValidationError(stating.execute('SLECT', [{ N: 'abc' }]), `${unconvertible}: abc`)
    await expectValidationError(stating.execute('SELECT * FROM TABLE WHERE pk = ?', [{ N: '' }]), unconvertible)
    await expectValidationError(
      stating.execute('SELECT * FROM TABLE WHERE a = ?', [{ NS: ['1', '1e99999999999'] }]),
      `${unconvertible}: 1e99999999999`,
    )
  },
})

import { NESTING_LEVELS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'
import { binary, fixture, number, text } from './reading.js'
import { at, NOT_WELL_FORMED, Stating } from './stating.js'

const stated = fixture(bench => Stating.of(bench, 'compositeN'))

const LEFTOVER = 'Unexpected token after expression'
const TERM = 'Unexpected term'
const NO_RIGHT = 'Missing right-hand side expression of infix operator'

/** Statements that cannot be read, each with what the service says of it beside that. */
const MALFORMED: readonly (readonly [string, string])[] = [
  ['SELECT * FROM TABLE WHERE pk = PK foo', LEFTOVER],
  ['SELECT * FROM TABLE WHERE pk = PK)', LEFTOVER],
  [`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1} foo`, LEFTOVER],
  [`INSERT INTO TABLE t VALUE {'pk': PK, 'sk': 1}`, LEFTOVER],
  ['DELETE FROM TABLE WHERE pk = PK ORDER BY pk', LEFTOVER],
  ['SELECT * FROM TABLE ORDER BY pk WHERE pk = PK', LEFTOVER],
  ['FROM TABLE SET c = 1 WHERE pk = PK', LEFTOVER],
  [
    'SELECT * FROM TABLE WHERE pk = PK; SELECT * FROM TABLE',
    'Unexpected token after semicolon. (Only one query is allowed.)',
  ],
  ['SELECT * FROM TABLE WHERE', TERM],
  ['SELECT * FROM TABLE WHERE;', TERM],
  ['SELECT * FROM TABLE WHERE NOT', TERM],
  ['SELECT * FROM TABLE WHERE (', TERM],
  ['UPDATE TABLE SET a = 1 WHERE', TERM],
  ['SELECT * FROM', TERM],
  ['SELECT', TERM],
  ['SELECT * FROM TABLE WHERE pk = PK AND', NO_RIGHT],
  ['SELECT * FROM TABLE WHERE pk =', NO_RIGHT],
  ['SELECT * FROM TABLE WHERE ORDER BY pk', 'Unexpected keyword'],
  ['SELECT date FROM TABLE WHERE pk = PK', 'Unexpected keyword'],
  ['INSERT TABLE VALUE {}', 'Unexpected keyword'],
  ['SELECT * FROM TABLE WHERE IS NULL', 'Unexpected operator'],
  ['SELECT * FROM TABLE WHERE pk = LIKE', 'Unexpected operator'],
  ['SELECT * FROM TABLE WHERE x IS FOO', 'Expected type name'],
  ['SELECT * FROM TABLE WHERE pk <>;', NO_RIGHT],
  ['SELECT * FROM TABLE WHERE sk = 1.2.3', LEFTOVER],
  ['SELECT * FROM TABLE WHERE sk = .5.5', LEFTOVER],
  ['SELECT * FROM TABLE WHERE sk = 5e', ''],
  ['SELECT * FROM TABLE\u00a0WHERE pk = PK', ''],
  ['SELECT * FROM TABLE WHERE attribute_exists(m.inner)', 'Invalid path dot component'],
  ['DELETE FROM', 'Expected identifier for simple path'],
  ['DELETE FROM WHERE pk = PK', 'Expected identifier for simple path'],
  ['UPDATE', 'Expected identifier for simple path'],
  ['DELETE TABLE WHERE pk = PK', 'Expected FROM after DELETE'],
  ['UPDATE TABLE WHERE pk = PK', 'Expected data manipulation'],
  ['SLECT * FROM TABLE WHERE pk = PK', 'Expected data manipulation'],
  ['UPDATE TABLE SET a WHERE pk = PK', "Expected '='"],
  ['SELECT * FROM TABLE WHERE pk BETWEEN 1', 'Expected AND keyword'],
  ['SELECT * FROM TABLE WHERE (pk = PK', 'Expected RIGHT_PAREN'],
  ['SELECT * FROM TABLE WHERE a = [1', 'Expected RIGHT_BRACKET'],
  [`INSERT INTO TABLE VALUE {'pk' PK}`, 'Expected COLON'],
  [`INSERT INTO TABLE VALUE {'pk': PK`, 'Expected RIGHT_CURLY'],
  [`SELECT * FROM TABLE WHERE pk = 'open`, ''],
  ['SELECT * FROM TABLE WHERE pk = PK # note', ''],
  ['SELECT * FROM TABLE WHERE pk = PK /* note', ''],
  ['SELECT * FROM TABLE WHERE sk = 1e2147483648', ''],
  ['SELECT * FROM TABLE WHERE sk = 1.5e-2147483647', ''],
]

const syntax = cases('executeStatement', {
  'a statement that cannot be read is told where it breaks off': async bench => {
    const stating = await stated(bench)
    for (const [words, detail] of MALFORMED) await invalid(stating.run(words), NOT_WELL_FORMED + detail)
  },

  'an expression is no statement': async bench => {
    const stating = await stated(bench)
    for (const type of ['INT4', 'DOUBLE PRECISION', 'CHARACTER VARYING'])
      await invalid(stating.run(`x IS ${type}`), 'Unsupported operation: IsType')
    await invalid(
      stating.run('EXISTS(SELECT * FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1)'),
      'EXISTS can only be used in ExecuteTransaction write requests.',
    )
  },

  'a table has no alias': async bench => {
    const stating = await stated(bench)
    for (const words of [
      'SELECT * FROM TABLE t WHERE pk = PK',
      'SELECT * FROM TABLE AS t WHERE pk = PK',
      'SELECT pk AS t FROM TABLE WHERE pk = PK',
      'UPDATE TABLE t SET a = 1 WHERE pk = PK',
      'DELETE FROM TABLE t WHERE pk = PK',
    ])
      await invalid(stating.run(words), 'Aliasing is not supported')
  },

  'what the language has and the service does not is refused': async bench => {
    const stating = await stated(bench)
    await invalid(stating.run('SELECT * FROM TABLE GROUP BY pk'), 'Unsupported clause: GROUP BY')
    const one = 'Only select from a single table or index is supported.'
    await invalid(stating.run('SELECT * FROM TABLE, TABLE'), one)
    await invalid(stating.run('SELECT * FROM TABLE JOIN TABLE ON 1 = 1'), one)
    await invalid(stating.run('FROM TABLE, TABLE WHERE pk = PK AND sk = 1 SET a = 1'), one)
    await invalid(stating.run(`INSERT INTO TABLE {'pk': PK, 'sk': 1}`), 'Unsupported operation: InsertOp')
    const call = stating.statement('SELECT attribute_exists(a) FROM TABLE WHERE pk = PK')
    await invalid(stating.run(call), `Unexpected path component at ${at(call, 'attribute_exists')}`)
    await invalid(stating.run('SELECT pk, a.pk FROM TABLE'), 'Duplicate identifiers in select clause: pk')
    await invalid(
      stating.run(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1} RETURNING ALL OLD *`),
      'RETURNING is not supported in INSERT',
    )
    for (const returning of ['MODIFIED OLD', 'ALL NEW', 'MODIFIED NEW'])
      await invalid(
        stating.run(`DELETE FROM TABLE WHERE pk = PK AND sk = 1 RETURNING ${returning} *`),
        `Invalid returning clause: RETURNING ${returning} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
      )
  },

  'a path goes by names and by places in lists': async bench => {
    const stating = await stated(bench)
    const refusal = async (path: string, part: string, detail: string) => {
      const words = stating.statement(`SELECT sk FROM TABLE WHERE pk = PK AND ${path} = 1`)
      await invalid(stating.run(words), `${detail} at ${at(words, part, part.length, words.indexOf(path))}`)
    }
    const outside = (index: string) => `List index is not within the allowable range; index: [${index}]`
    await refusal('a[-1]', '1', outside('-1'))
    await refusal('a[2147483648]', '2147483648', outside('2147483648'))
    await refusal('a[1.5]', '1.5', 'Unexpected path component')
    await refusal('a.*', '*', 'Unpivot path component like a.*.b are not supported')
    await refusal('a[*].b', '*', 'Wildcard path component like a[*].b are not supported')
    same(await stating.where('a[2147483647] = 1'), [])
  },

  'a name is not empty': async bench => {
    const stating = await stated(bench)
    const empty = 'Path component cannot be an empty string'
    await invalid(stating.run('SELECT * FROM "" WHERE pk = PK'), empty)
    await invalid(stating.run('SELECT * FROM TABLE."" WHERE pk = PK'), empty)
    await invalid(stating.run(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, '': 1}`), empty)
  },
})

const OVERFLOW = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const UNDERFLOW = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

const values = cases('executeStatement', {
  'a number that cannot be stored is told with its place': async bench => {
    const stating = await stated(bench)
    await invalid(stating.run('SELECT * FROM TABLE WHERE sk = 1e126'), `${OVERFLOW} under root`)
    await invalid(stating.run('UPDATE TABLE SET a = 1e-131 WHERE pk = PK AND sk = 1'), `${UNDERFLOW} under root`)
    const insert = (value: string) => stating.run(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'a': ${value}}`)
    await invalid(insert(`{'x': 1e126}`), `${OVERFLOW} under root.x`)
    await invalid(insert('[1, 1e126]'), `${OVERFLOW} under root[1]`)
    const digits = '123456789012345678901234567890123456789'
    await invalid(insert(digits), 'Attempting to store more than 38 significant digits in a Number under root')
  },

  'a literal nests 32 levels': covering(['limit:NESTING_LEVELS'], async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const nested = (open: string, close: string, levels: number) => open.repeat(levels) + 1 + close.repeat(levels)
    for (const [open, close] of [
      ['[', ']'],
      [`{'a':`, '}'],
    ] as const) {
      const setting = (levels: number) => `UPDATE TABLE SET a = ${nested(open, close, levels)} WHERE pk = PK AND sk = 1`
      await stating.write(setting(NESTING_LEVELS - 1))
      await invalid(stating.run(setting(NESTING_LEVELS)), /^Nesting Levels have exceeded supported limits under root/)
    }
  }),

  'the names of a struct are texts': async bench => {
    const stating = await stated(bench)
    for (const [name, type] of [
      ['word', 'VariableReference'],
      ['15', 'INT'],
      ['1.5', 'DECIMAL'],
      ['1e2', 'DECIMAL'],
      ['true', 'BOOL'],
    ] as const) {
      const words = stating.statement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, ${name}: 1}`)
      await invalid(
        stating.run(words),
        `Tuple keys must be of type String. Actual type: ${type} under root at ${at(words, `${name}:`, name.length)}`,
      )
    }
  },

  'what is no literal cannot be stated': async bench => {
    const stating = await stated(bench)
    const insert = (value: string) => stating.statement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'a': ${value}}`)
    const refusal = async (value: string, part: string, detail: string) =>
      invalid(stating.run(insert(value), [number(1)]), `${detail} at ${at(insert(value), part)}`)
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
    for (const bag of [`<<1, 'x'>>`, '<<1, [1]>>']) await invalid(stating.run(insert(bag)), bags)
    await invalid(
      stating.run(insert('[<<1, null>>]')),
      'One or more parameter values were invalid: Numeric sets may not contain null under root[0]',
    )
    await invalid(
      stating.run(insert(`<<'x', 'x'>>`)),
      'One or more parameter values were invalid: Input collection [x, x] contains duplicates.',
    )
    await invalid(
      stating.run(insert('[<<1, 1.0>>]')),
      'One or more parameter values were invalid: Input collection [1, 1.0] contains duplicates! under root[0]',
    )
    await invalid(stating.run(insert('<<>>')), 'Empty bags are not supported')
    const path = '[0]'.repeat(32)
    const nested = '['.repeat(33) + ']'.repeat(33)
    await invalid(stating.run(insert(nested)), `Nesting Levels have exceeded supported limits under root${path}`)
    await invalid(stating.run('INSERT INTO TABLE VALUE ?', [text('x')]), /^Unsupported format in item expression\./)
    const twice = stating.statement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'sk': 2}`)
    await invalid(stating.run(twice), `Duplicate keys in tuple. Key: sk under root at ${at(twice, "'sk': 2", 4)}`)
  },

  'there is a parameter for every question mark': async bench => {
    const stating = await stated(bench)
    const message = "Number of parameters in request and statement don't match."
    await invalid(stating.run('SELECT * FROM TABLE WHERE pk = ?'), message)
    await invalid(stating.run('SELECT * FROM TABLE WHERE pk = ? AND sk = ?', [text('a')]), message)
  },

  'parameters are looked at before the statement': async bench => {
    const stating = await stated(bench)
    const unconvertible = 'The parameter cannot be converted to a numeric value'
    await invalid(stating.run('SLECT', [{ N: 'abc' }]), `${unconvertible}: abc`)
    await invalid(stating.run('SELECT * FROM TABLE WHERE pk = ?', [{ N: '' }]), unconvertible)
    await invalid(
      stating.run('SELECT * FROM TABLE WHERE a = ?', [{ NS: ['1', '1e99999999999'] }]),
      `${unconvertible}: 1e99999999999`,
    )
  },
})

const conditions = cases('executeStatement', {
  'operands are of the types that an operator takes, whatever the table': async bench => {
    const words = `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a' AND `
    const run = (condition: string, Parameters = [{ BOOL: true }]) =>
      bench.service.executeStatement({ Statement: words + condition, Parameters })
    const wrong = (operator: string, type: string) =>
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
    for (const operator of ['<', '<=', '>', '>=']) await invalid(run(`a ${operator} ?`), wrong(operator, 'BOOL'))
    await invalid(run('a BETWEEN ? AND 1'), wrong('BETWEEN', 'BOOL'))
    await invalid(run('begins_with(a, 5)'), wrong('begins_with', 'N'))
    await invalid(
      run('a = a'),
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        'operator: =, first operand: [a]',
    )
    await invalid(
      run('a BETWEEN 2 AND 1'),
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        'lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    )
  },

  'a function takes its operands': async bench => {
    const stating = await stated(bench)
    const where = (condition: string) => stating.statement(`SELECT * FROM TABLE WHERE pk = PK AND ${condition}`)
    const count = (name: string, given: number) =>
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${given}`
    await invalid(stating.run(where('attribute_exists()')), count('attribute_exists', 0))
    await invalid(stating.run(where('attribute_exists(a, b)')), count('attribute_exists', 2))
    await invalid(
      stating.run(where(`attribute_exists('a')`)),
      'Operator or function requires a document path; operator or function: attribute_exists',
    )
    for (const name of ['mystery', 'set_add', 'EXISTS'])
      await invalid(
        stating.run(where(`${name}(a) = 1`)),
        `Unrecognized function: ${name.toLowerCase()} at ${at(where(`${name}(a) = 1`), name)}`,
      )
  },

  'values of a key are checked until something is read otherwise than by it': async bench => {
    const stating = await stated(bench)
    const where = (condition: string) => stating.run(`SELECT * FROM TABLE WHERE ${condition}`, [{ BOOL: true }])
    const noKey = (name: string) => `Key value must be of type S, N, or B. Key name: ${name}, Key type: BOOL`
    for (const condition of ['pk = ? OR a = 1', `pk = ? OR pk > 'a'`, `pk = ? OR pk = 'b' AND pk = 'c'`])
      await invalid(where(condition), noKey('pk'))
    await invalid(where('pk = PK AND sk = ? OR a = 1'), noKey('sk'))
    for (const condition of [
      'a = 1 AND b = 2 OR pk = ?',
      `pk = 'b' AND pk = 'c' OR pk = ?`,
      'pk = PK AND sk = 1 AND sk = ?',
    ])
      same((await where(condition)).Items, [])
  },

  'OFFSET is a keyword, too': async bench => {
    const stating = await stated(bench)
    await invalid(stating.run('SELECT * FROM TABLE WHERE m.offset = 1'), `${NOT_WELL_FORMED}Invalid path dot component`)
  },

  'a condition is one': async bench => {
    const stating = await stated(bench)
    const where = (condition: string) => stating.run(`SELECT * FROM TABLE WHERE ${condition}`)
    const none = 'WHERE clause must contain an expression that resolves to a boolean'
    await invalid(where('pk'), none)
    await invalid(where('true'), none)
    await invalid(where('pk = PK AND flag'), 'The arguments to AND/OR must be Expressions')
    await invalid(where('NOT flag'), 'The argument to NOT must be a Type or Expression')
    for (const comparison of ['a = MISSING', 'attribute_exists(a) <> MISSING'])
      await invalid(where(comparison), 'MISSING must be compared using IS operator')
    const wrongType = (operator: string, type: string) =>
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
    await invalid(where('pk = PK AND size(a)'), wrongType('AND', 'N'))
    await invalid(where('size(a) OR pk = PK'), wrongType('OR', 'N'))
    await invalid(where('NOT size(a)'), wrongType('NOT', 'N'))
    await invalid(where('size(a)'), none)
    await invalid(where('attribute_exists(a) < b'), wrongType('<', 'BOOL'))
    await invalid(where('attribute_exists(a) NOT BETWEEN 1 AND 3'), wrongType('BETWEEN', 'BOOL'))
    const typed = stating.statement('SELECT * FROM TABLE WHERE a IS REAL')
    await invalid(
      stating.run(typed),
      'Unsupported data type for IS operator: RealType. Supported data types are ' +
        `[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at ${at(typed, 'a IS', 1)}`,
    )
    for (const operator of ['+', '||'])
      await invalid(where(`a ${operator} 1 = 2`), `Unsupported operator in Condition Expression. Operator: ${operator}`)
    await invalid(where(`a LIKE 'x'`), 'Unsupported operator in Condition Expression. Operator: like')
    await invalid(
      where('a IN []'),
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
        'with at least one member',
    )
  },

  'set functions change what they name, by a set': async bench => {
    const stating = await stated(bench)
    const update = (change: string) => stating.statement(`UPDATE TABLE SET ${change} WHERE pk = PK AND sk = 1`)
    for (const name of ['set_add', 'set_delete']) {
      const called = name.toUpperCase()
      const other = update(`t = ${name}(s, <<'x'>>)`)
      await invalid(
        stating.run(other),
        `The first argument to ${called} must equal the assignment value at ${at(other, name)}`,
      )
      const plain = update(`s = ${name}(s, 'x')`)
      await invalid(
        stating.run(plain),
        `The second argument to ${called} must be a value with type SET at ${at(plain, 's,', 1)}`,
      )
      const one = update(`s = ${name}(s)`)
      await invalid(stating.run(one), `${called} must have exactly two arguments at ${at(one, name)}`)
    }
  },

  'ranges of a key that meet are refused': async bench => {
    const stating = await stated(bench)
    const where = (condition: string) => stating.run(`SELECT * FROM TABLE WHERE ${condition}`)
    const overlap = 'Overlapping conditions with range keys are not supported in where clause'
    await invalid(where(`pk = PK AND x = 1 OR pk = PK AND sk = 2`), overlap)
    await invalid(where('pk = PK OR pk = PK'), overlap)
    await invalid(where('pk IN [PK, PK]'), overlap)
    await invalid(where('pk = PK AND sk >= 1 OR pk = PK AND sk <= 1'), overlap)
    for (const condition of ['NOT sk = 1', 'sk <> 1', 'NOT sk IN [1, 3]', 'NOT sk BETWEEN 1 AND 2'])
      await where(`pk = PK AND ${condition} OR pk = PK AND sk = 2`)
  },

  'an order is of the key, with a partition': async bench => {
    const stating = await stated(bench)
    const select = (rest: string) => stating.run(`SELECT * FROM TABLE ${rest}`)
    await invalid(select('ORDER BY sk'), 'Must have WHERE clause in the statement when using ORDER BY clause.')
    await invalid(
      select('WHERE pk = PK ORDER BY other'),
      'Attribute other in ORDER BY clause must be part of the primary key',
    )
    for (const [term, type, length] of [
      ['m.x', 'PATH', 1],
      ["'sk'", 'sk', 4],
    ] as const) {
      const words = stating.statement(`SELECT * FROM TABLE WHERE pk = PK ORDER BY ${term}`)
      await invalid(
        stating.run(words),
        `Argument to ORDER BY must be of type VariableReference. Type: ${type} at ${at(words, term, length)}`,
      )
    }
    await invalid(
      select(`WHERE pk = PK AND pk = 'other' ORDER BY sk`),
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
    await invalid(
      select('WHERE sk = 1 ORDER BY sk'),
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
    await invalid(
      select(`WHERE pk IN [PK, 'other'] ORDER BY sk`),
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    )
  },

  'a key is not reached into': async bench => {
    const stating = await stated(bench)
    const scalar = (name: string) =>
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ${name}`
    await invalid(stating.run('SELECT pk.x FROM TABLE WHERE pk = PK', [binary(1)]), scalar('pk'))
    await invalid(stating.run('SELECT * FROM TABLE WHERE sk[0] = 1'), scalar('sk'))
  },
})

/** Statements that are refused. */
export const partiqlRefusalCases = [...syntax, ...values, ...conditions]

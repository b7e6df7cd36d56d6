import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { binaryValue, sharedFixture } from '../../fixtures/test-partition.js'
import { locationOf, MALFORMED_STATEMENT, PartiqlPartition } from './partiql-partition.js'

const sharedPartition = sharedFixture(bench => PartiqlPartition.of(bench, 'compositeN'))

const LEFTOVER = 'Unexpected token after expression'
const TERM = 'Unexpected term'
const NO_RIGHT = 'Missing right-hand side expression of infix operator'

/** Statements with syntax errors, each with the details of the service's message. */
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

const syntax = defineCases('executeStatement', {
  'a syntax error is reported with its position': async bench => {
    const stating = await sharedPartition(bench)
    for (const [words, detail] of MALFORMED)
      await expectValidationError(stating.execute(words), MALFORMED_STATEMENT + detail)
  },

  'an expression is not a statement': async bench => {
    const stating = await sharedPartition(bench)
    for (const type of ['INT4', 'DOUBLE PRECISION', 'CHARACTER VARYING'])
      await expectValidationError(stating.execute(`x IS ${type}`), 'Unsupported operation: IsType')
    await expectValidationError(
      stating.execute('EXISTS(SELECT * FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1)'),
      'EXISTS can only be used in ExecuteTransaction write requests.',
    )
  },

  'a table alias is rejected': async bench => {
    const stating = await sharedPartition(bench)
    for (const words of [
      'SELECT * FROM TABLE t WHERE pk = PK',
      'SELECT * FROM TABLE AS t WHERE pk = PK',
      'SELECT pk AS t FROM TABLE WHERE pk = PK',
      'UPDATE TABLE t SET a = 1 WHERE pk = PK',
      'DELETE FROM TABLE t WHERE pk = PK',
    ])
      await expectValidationError(stating.execute(words), 'Aliasing is not supported')
  },

  'PartiQL features that the service does not support are rejected': async bench => {
    const stating = await sharedPartition(bench)
    await expectValidationError(stating.execute('SELECT * FROM TABLE GROUP BY pk'), 'Unsupported clause: GROUP BY')
    const one = 'Only select from a single table or index is supported.'
    await expectValidationError(stating.execute('SELECT * FROM TABLE, TABLE'), one)
    await expectValidationError(stating.execute('SELECT * FROM TABLE JOIN TABLE ON 1 = 1'), one)
    await expectValidationError(stating.execute('FROM TABLE, TABLE WHERE pk = PK AND sk = 1 SET a = 1'), one)
    await expectValidationError(
      stating.execute(`INSERT INTO TABLE {'pk': PK, 'sk': 1}`),
      'Unsupported operation: InsertOp',
    )
    const call = stating.toStatement('SELECT attribute_exists(a) FROM TABLE WHERE pk = PK')
    await expectValidationError(
      stating.execute(call),
      `Unexpected path component at ${locationOf(call, 'attribute_exists')}`,
    )
    await expectValidationError(
      stating.execute('SELECT pk, a.pk FROM TABLE'),
      'Duplicate identifiers in select clause: pk',
    )
    await expectValidationError(
      stating.execute(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1} RETURNING ALL OLD *`),
      'RETURNING is not supported in INSERT',
    )
    for (const returning of ['MODIFIED OLD', 'ALL NEW', 'MODIFIED NEW'])
      await expectValidationError(
        stating.execute(`DELETE FROM TABLE WHERE pk = PK AND sk = 1 RETURNING ${returning} *`),
        `Invalid returning clause: RETURNING ${returning} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
      )
  },

  'a path consists of names and list positions': async bench => {
    const stating = await sharedPartition(bench)
    const refusal = async (path: string, part: string, detail: string) => {
      const words = stating.toStatement(`SELECT sk FROM TABLE WHERE pk = PK AND ${path} = 1`)
      await expectValidationError(
        stating.execute(words),
        `${detail} at ${locationOf(words, part, part.length, words.indexOf(path))}`,
      )
    }
    const outside = (index: string) => `List index is not within the allowable range; index: [${index}]`
    await refusal('a[-1]', '1', outside('-1'))
    await refusal('a[2147483648]', '2147483648', outside('2147483648'))
    await refusal('a[1.5]', '1.5', 'Unexpected path component')
    await refusal('a.*', '*', 'Unpivot path component like a.*.b are not supported')
    await refusal('a[*].b', '*', 'Wildcard path component like a[*].b are not supported')
    expectEqual(await stating.findSortKeys('a[2147483647] = 1'), [])
  },

  'a name is not empty': async bench => {
    const stating = await sharedPartition(bench)
    const empty = 'Path component cannot be an empty string'
    await expectValidationError(stating.execute('SELECT * FROM "" WHERE pk = PK'), empty)
    await expectValidationError(stating.execute('SELECT * FROM TABLE."" WHERE pk = PK'), empty)
    await expectValidationError(stating.execute(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, '': 1}`), empty)
  },
})

const conditions = defineCases('executeStatement', {
  'operand types are validated for every operator, before the table is looked up': async bench => {
    const words = `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a' AND `
    const run = (condition: string, Parameters = [{ BOOL: true }]) =>
      bench.service.executeStatement({ Statement: words + condition, Parameters })
    const wrong = (operator: string, type: string) =>
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
    for (const operator of ['<', '<=', '>', '>='])
      await expectValidationError(run(`a ${operator} ?`), wrong(operator, 'BOOL'))
    await expectValidationError(run('a BETWEEN ? AND 1'), wrong('BETWEEN', 'BOOL'))
    await expectValidationError(run('begins_with(a, 5)'), wrong('begins_with', 'N'))
    await expectValidationError(
      run('a = a'),
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        'operator: =, first operand: [a]',
    )
    await expectValidationError(
      run('a BETWEEN 2 AND 1'),
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        'lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    )
  },

  'a wrong number of function operands is rejected': async bench => {
    const stating = await sharedPartition(bench)
    const where = (condition: string) => stating.toStatement(`SELECT * FROM TABLE WHERE pk = PK AND ${condition}`)
    const count = (name: string, given: number) =>
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${given}`
    await expectValidationError(stating.execute(where('attribute_exists()')), count('attribute_exists', 0))
    await expectValidationError(stating.execute(where('attribute_exists(a, b)')), count('attribute_exists', 2))
    await expectValidationError(
      stating.execute(where(`attribute_exists('a')`)),
      'Operator or function requires a document path; operator or function: attribute_exists',
    )
    for (const name of ['mystery', 'set_add', 'EXISTS'])
      await expectValidationError(
        stating.execute(where(`${name}(a) = 1`)),
        `Unrecognized function: ${name.toLowerCase()} at ${locationOf(where(`${name}(a) = 1`), name)}`,
      )
  },

  'key values are validated until a condition requires a scan': async bench => {
    const stating = await sharedPartition(bench)
    const where = (condition: string) => stating.execute(`SELECT * FROM TABLE WHERE ${condition}`, [{ BOOL: true }])
    const noKey = (name: string) => `Key value must be of type S, N, or B. Key name: ${name}, Key type: BOOL`
    for (const condition of ['pk = ? OR a = 1', `pk = ? OR pk > 'a'`, `pk = ? OR pk = 'b' AND pk = 'c'`])
      await expectValidationError(where(condition), noKey('pk'))
    await expectValidationError(where('pk = PK AND sk = ? OR a = 1'), noKey('sk'))
    for (const condition of [
      'a = 1 AND b = 2 OR pk = ?',
      `pk = 'b' AND pk = 'c' OR pk = ?`,
      'pk = PK AND sk = 1 AND sk = ?',
    ])
      expectEqual((await where(condition)).Items, [])
  },

  'OFFSET is a keyword': async bench => {
    const stating = await sharedPartition(bench)
    await expectValidationError(
      stating.execute('SELECT * FROM TABLE WHERE m.offset = 1'),
      `${MALFORMED_STATEMENT}Invalid path dot component`,
    )
  },

  'a WHERE clause that is not a condition is rejected': async bench => {
    const stating = await sharedPartition(bench)
    const where = (condition: string) => stating.execute(`SELECT * FROM TABLE WHERE ${condition}`)
    const none = 'WHERE clause must contain an expression that resolves to a boolean'
    await expectValidationError(where('pk'), none)
    await expectValidationError(where('true'), none)
    await expectValidationError(where('pk = PK AND flag'), 'The arguments to AND/OR must be Expressions')
    await expectValidationError(where('NOT flag'), 'The argument to NOT must be a Type or Expression')
    for (const comparison of ['a = MISSING', 'attribute_exists(a) <> MISSING'])
      await expectValidationError(where(comparison), 'MISSING must be compared using IS operator')
    const wrongType = (operator: string, type: string) =>
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
    await expectValidationError(where('pk = PK AND size(a)'), wrongType('AND', 'N'))
    await expectValidationError(where('size(a) OR pk = PK'), wrongType('OR', 'N'))
    await expectValidationError(where('NOT size(a)'), wrongType('NOT', 'N'))
    await expectValidationError(where('size(a)'), none)
    await expectValidationError(where('attribute_exists(a) < b'), wrongType('<', 'BOOL'))
    await expectValidationError(where('attribute_exists(a) NOT BETWEEN 1 AND 3'), wrongType('BETWEEN', 'BOOL'))
    const typed = stating.toStatement('SELECT * FROM TABLE WHERE a IS REAL')
    await expectValidationError(
      stating.execute(typed),
      'Unsupported data type for IS operator: RealType. Supported data types are ' +
        `[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at ${locationOf(typed, 'a IS', 1)}`,
    )
    for (const operator of ['+', '||'])
      await expectValidationError(
        where(`a ${operator} 1 = 2`),
        `Unsupported operator in Condition Expression. Operator: ${operator}`,
      )
    await expectValidationError(where(`a LIKE 'x'`), 'Unsupported operator in Condition Expression. Operator: like')
    await expectValidationError(
      where('a IN []'),
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
        'with at least one member',
    )
  },

  'set functions change the named attribute by a set': async bench => {
    const stating = await sharedPartition(bench)
    const update = (change: string) => stating.toStatement(`UPDATE TABLE SET ${change} WHERE pk = PK AND sk = 1`)
    for (const name of ['set_add', 'set_delete']) {
      const called = name.toUpperCase()
      const other = update(`t = ${name}(s, <<'x'>>)`)
      await expectValidationError(
        stating.execute(other),
        `The first argument to ${called} must equal the assignment value at ${locationOf(other, name)}`,
      )
      const plain = update(`s = ${name}(s, 'x')`)
      await expectValidationError(
        stating.execute(plain),
        `The second argument to ${called} must be a value with type SET at ${locationOf(plain, 's,', 1)}`,
      )
      const one = update(`s = ${name}(s)`)
      await expectValidationError(
        stating.execute(one),
        `${called} must have exactly two arguments at ${locationOf(one, name)}`,
      )
    }
  },

  'overlapping key ranges are rejected': async bench => {
    const stating = await sharedPartition(bench)
    const where = (condition: string) => stating.execute(`SELECT * FROM TABLE WHERE ${condition}`)
    const overlap = 'Overlapping conditions with range keys are not supported in where clause'
    await expectValidationError(where(`pk = PK AND x = 1 OR pk = PK AND sk = 2`), overlap)
    await expectValidationError(where('pk = PK OR pk = PK'), overlap)
    await expectValidationError(where('pk IN [PK, PK]'), overlap)
    await expectValidationError(where('pk = PK AND sk >= 1 OR pk = PK AND sk <= 1'), overlap)
    for (const condition of ['NOT sk = 1', 'sk <> 1', 'NOT sk IN [1, 3]', 'NOT sk BETWEEN 1 AND 2'])
      await where(`pk = PK AND ${condition} OR pk = PK AND sk = 2`)
  },

  'ORDER BY requires the key and a partition': async bench => {
    const stating = await sharedPartition(bench)
    const select = (rest: string) => stating.execute(`SELECT * FROM TABLE ${rest}`)
    await expectValidationError(
      select('ORDER BY sk'),
      'Must have WHERE clause in the statement when using ORDER BY clause.',
    )
    await expectValidationError(
      select('WHERE pk = PK ORDER BY other'),
      'Attribute other in ORDER BY clause must be part of the primary key',
    )
    for (const [term, type, length] of [
      ['m.x', 'PATH', 1],
      ["'sk'", 'sk', 4],
    ] as const) {
      const words = stating.toStatement(`SELECT * FROM TABLE WHERE pk = PK ORDER BY ${term}`)
      await expectValidationError(
        stating.execute(words),
        `Argument to ORDER BY must be of type VariableReference. Type: ${type} at ${locationOf(words, term, length)}`,
      )
    }
    await expectValidationError(
      select(`WHERE pk = PK AND pk = 'other' ORDER BY sk`),
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
    await expectValidationError(
      select('WHERE sk = 1 ORDER BY sk'),
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
    await expectValidationError(
      select(`WHERE pk IN [PK, 'other'] ORDER BY sk`),
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    )
  },

  'a path into a key is rejected': async bench => {
    const stating = await sharedPartition(bench)
    const scalar = (name: string) =>
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ${name}`
    await expectValidationError(stating.execute('SELECT pk.x FROM TABLE WHERE pk = PK', [binaryValue(1)]), scalar('pk'))
    await expectValidationError(stating.execute('SELECT * FROM TABLE WHERE sk[0] = 1'), scalar('sk'))
  },
})

/** Cases of rejected statements. */
export const partiqlErrorCases = [...syntax, ...conditions]

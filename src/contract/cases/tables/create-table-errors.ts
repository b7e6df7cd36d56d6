import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN } from '../../../dynamodb/limits.js'
import { expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  rangeKey,
  rejectsDefinition,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'

const INVALID = 'One or more parameter values were invalid: '
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'

export const createTableErrorCases = defineCases('createTable', {
  'a name of two characters is refused': withCoverage(['limit:NAME_CHARACTERS_MIN'], async bench => {
    await expectValidationError(
      bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName: 'a'.repeat(NAME_CHARACTERS_MIN - 1) }),
      "1 validation error detected: Value 'aa' at 'tableName' failed to satisfy constraint: Member must have length " +
        'greater than or equal to 3',
    )
  }),

  'a name of more than 255 characters is refused': withCoverage(['limit:NAME_CHARACTERS_MAX'], async bench => {
    const TableName = 'a'.repeat(NAME_CHARACTERS_MAX + 1)
    await expectValidationError(
      bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName }),
      `1 validation error detected: Value '${TableName}' at 'tableName' failed to satisfy constraint: Member must ` +
        'have length less than or equal to 255',
    )
  }),

  'a bad name is reported before anything else': async bench => {
    await expectValidationError(
      bench.store.createTable({ TableName: 'not a name', AttributeDefinitions: [], KeySchema: [] }),
      "1 validation error detected: Value 'not a name' at 'tableName' failed to satisfy constraint: Member must " +
        'satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    )
  },

  'bad members are reported together': rejectsDefinition(
    {
      ...SIMPLE_KEY_TABLE,
      BillingMode: 'NONSENSE' as never,
      KeySchema: [{ AttributeName: 'a', KeyType: 'NONE' as never }],
    },
    "2 validation errors detected: Value 'NONSENSE' at 'billingMode' failed to satisfy constraint: Member must " +
      "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value 'NONE' at 'keySchema.1.member.keyType' failed " +
      'to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]',
  ),

  'a key of three attributes is refused': withCoverage(
    ['limit:TABLE_KEY_PARTS'],
    rejectsDefinition(
      {
        ...COMPOSITE_KEY_TABLE,
        AttributeDefinitions: textAttributes('a', 'b', 'c'),
        KeySchema: [hashKey('a'), rangeKey('b'), rangeKey('c')],
      },
      "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), " +
        'KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' +
        "' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2",
    ),
  ),

  'a key without any definition is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: [] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key with fewer definitions than attributes is refused': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, AttributeDefinitions: textAttributes('b') },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key of one attribute twice, defined once, is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, KeySchema: [hashKey('a'), rangeKey('a')] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key that is not the one defined is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('b') },
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]`,
  ),

  'a key of one attribute twice is refused': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), rangeKey('a')] },
    SAME_NAME,
  ),

  'a key of one attribute twice goes before its kinds': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), hashKey('a')] },
    SAME_NAME,
  ),

  'a key of two partition attributes is refused': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), hashKey('b')] },
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  ),

  'a key whose sort attribute comes first is refused': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [rangeKey('a'), hashKey('b')] },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  ),

  'a key of a sort attribute alone is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, KeySchema: [rangeKey('a')] },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  ),

  'a definition that no key uses is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('a', 'b') },
    `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in ` +
      'AttributeDefinitions',
  ),

  'an attribute that is defined twice is refused': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('a', 'a') },
    'Attribute Name is duplicated: a',
  ),
})

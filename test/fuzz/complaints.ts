/** The problems that error messages describe, by patterns of all implementations. The first match applies. */
const COMPLAINTS: readonly (readonly [complaint: string, words: RegExp])[] = [
  ['a condition that failed', /conditional request failed/],
  ['a value of an expression', /contains invalid value/],
  ['a type of an index key', /Type mismatch for Index Key|secondary index key to unsupported type/],
  ['an empty key', /A value specified for a secondary index key|key attribute cannot contain an empty/],
  [
    'a key',
    /does not match the schema|conditions on the keys is invalid|Type mismatch for (?:key|attribute)|keys in RequestItems|Missing the key|required keys/,
  ],
  ['a key as a document', /Key attributes must be scalars/],
  ['a key that is updated', /Cannot update attribute/],
  ['a number', /convert\w* (?:to|into) a num|38 (?:significant )?digits|precision up to 38|Number (?:over|under)flow/],
  ['a set', /sets? +(?:may|should) not be empty|contains? duplicates/],
  ['a null', /Null attribute value types/],
  ['a value', /Supplied AttributeValue|Invalid attribute value type/],
  ['paths that meet', /Two document paths/],
  ['a path of an update', /document path provided in the update expression/],
  ['an operand of an update', /operand in the update expression|Operands? for [+-]|list_append requires/],
  ['an attribute that is missing', /refers to an attribute that does not exist/],
  ['syntax', /Syntax error|redundant parentheses|Invalid function name|only be used once|can not be empty/],
  ['operands', /Incorrect operand type|Incorrect number of operands|must be distinct|BETWEEN|not allowed in|operator/],
  ['a type by its name', /Invalid attribute type name/],
  ['a reserved word', /reserved keyword/],
  ['placeholders', /used in (?:the document path|expression) is not defined|unused in expressions/],
  ['no expression', /can only be specified when using expressions/],
  ['expressions beside what was before them', /Can not use both expression/],
  ['ConditionalOperator', /ConditionalOperator can only/],
  [
    'a condition from before expressions',
    /AttributeValueList|ComparisonOperator|AttributeValues inside|Value or AttributeValueList|Exists/,
  ],
  ['an update from before expressions', /(?:ADD|DELETE|PUT) action|Only DELETE action/],
  [
    'what a query asks of keys',
    /query conditions|Conditions can be of length|[Kk]ey condition|missed key schema|indexable operation|Condition parameter type|Filter Expression can only|QueryFilter can only/,
  ],
  ['where to start', /starting key|[Ss]tart [Kk]ey|cannot be restarted/],
  ['a segment', /[Ss]egment/],
  ['Limit', /Limit/],
  ['what an index has', /does not project|Select type|IndexName|specified index|Consistent reads/],
  [
    'what is selected',
    /when choosing to get|Must specify the|Duplicate value in attribute|two attributes with the same name/,
  ],
  ['what is returned', /ReturnValues can only|Return values set/],
  ['one item twice', /multiple operations on one item|list of item keys contains duplicates/],
  ['a constraint of the model', /failed to satisfy constraint/],
  ['sizes', /exceeded the maximum|size of/],
]

/** Returns the problem that a message describes, or undefined if it is unknown. */
export function complaintOf(message: string): string | undefined {
  const inner = message.replace(/^ExpressionAttributeValues contains invalid value: /, '')
  return COMPLAINTS.find(([, words]) => words.test(inner))?.[0]
}
